// A desired file in this folder, for whoever asks a service elsewhere: the service plans against what is registered
// there and never reads it, so an edit that nobody registered is named.
//
// Not here: what the service says of a file of its own (service/act/desired-file.ts).

import { basename } from "node:path";
import type { Sha256 } from "../../spine/model.ts";
import type { Arguments } from "../command.ts";
import type { Io } from "../process/io.ts";
import { findPlace } from "./find-server.ts";

/** As `init` and `import` name it. */
const USUAL = "desired.yaml";

export type DesiredHere = {
  /** A service elsewhere was asked: whatever it says of a file is of its own. */
  readonly isElsewhere: boolean;
  /** The file in this folder that says something else than what is registered there. */
  readonly unread?: string;
};

export const findDesiredHere = async (
  given: Arguments,
  io: Io,
  environment: string,
  /** What is registered, and how the service names its own file. */
  { file = USUAL, registered }: { readonly file?: string | undefined; readonly registered: Sha256 },
): Promise<DesiredHere> => {
  if (findPlace(given, io).kind !== "remote") return { isElsewhere: false };
  const here = basename(file);
  const { readDesiredFile } = await import("../../service/desired-text.ts");
  const read = readDesiredFile(io.folder, here, environment);
  const isAnother =
    read.kind === "read"
      ? read.desired.digest !== registered
      : read.kind === "unreadable" && !read.answer.refusals.some(({ code }) => code === "desired-foreign");
  return isAnother ? { isElsewhere: true, unread: here } : { isElsewhere: true };
};
