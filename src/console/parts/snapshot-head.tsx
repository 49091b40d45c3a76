// What a page stands on: how many records the ledger had, its head, and the button that reads it again.

import type { ReactNode } from "react";
import type { ReadHead } from "../ask/get.ts";
import { Hash } from "./hash.tsx";
import { News } from "./news.tsx";

export const SnapshotHead = ({
  environment,
  head,
  readAgain,
}: {
  readonly environment?: string;
  readonly head: ReadHead | undefined;
  readonly readAgain: () => void;
}): ReactNode => {
  if (head === undefined) return undefined;
  return (
    <>
      <p className="soft">
        As of {head.size} records, head <Hash name="head" of={head.hash} />{" "}
        <button className="copy" onClick={readAgain} type="button">
          Read again
        </button>
      </p>
      <News {...(environment && { environment })} size={head.size} />
    </>
  );
};
