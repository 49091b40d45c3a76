// What a page stands on: how many records the ledger had, its head, and the button that reads it again.

import type { ReactNode } from "react";
import type { ReadHead } from "../ask/get.ts";
import { Hash } from "./hash.tsx";
import { InstantShown } from "./instant.tsx";
import { News } from "./news.tsx";

export const SnapshotHead = ({
  at,
  environment,
  head,
  readAgain,
}: {
  /** When the service answered, where it says so. */
  readonly at?: string;
  readonly environment?: string;
  readonly head: ReadHead | undefined;
  readonly readAgain: () => void;
}): ReactNode => {
  if (head === undefined) return undefined;
  return (
    <>
      <p className="soft">
        As of {head.size} records
        {at === undefined ? undefined : (
          <>
            {" "}
            at <InstantShown at={at} />
          </>
        )}
        , head <Hash name="head" of={head.hash} />{" "}
        <button className="copy" onClick={readAgain} type="button">
          Refresh
        </button>
      </p>
      <News {...(environment && { environment })} size={head.size} />
    </>
  );
};
