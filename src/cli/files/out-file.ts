// Whether a file that a command is told to write may be written, asked before the command does anything.
//
// No path of the installation itself is: what the ledger, its anchor or its key will write there later would be destroyed, or
// destroy it. Not here: writing it (files.ts), what the paths of an installation are (service/path-roles.ts).

import { type Problem, problem, problemOf, wholeFile } from "../../formats/problem.ts";
import { fileCause } from "../../ledger/files/file-cause.ts";
import { entryAt } from "../../ledger/files/found-at.ts";
import { claimsOfOut } from "../../ledger/files/path-claims.ts";
import { unmakable } from "../../ledger/files/writable.ts";
import { type PathRoleName, roleRefusal } from "../../service/path-roles.ts";
import type { Arguments } from "../command.ts";
import type { Io } from "../process/io.ts";
import { type IsOurs, inTheWay, NOTHING_OURS, pathIn } from "./files.ts";
import { hasConfig, readConfig, rolesIn } from "./find-config.ts";

const WRITE_BITS = 0o222;

/** A file that nobody may write was not meant to be replaced, though its folder would allow it. */
export const outObstacle = (given: Arguments, io: Io, file: string, isOurs: IsOurs): Problem | undefined =>
  outInTheWay(given, io, file, isOurs) ?? unwritableProblem(io, file);

const unwritableProblem = (io: Io, file: string): Problem | undefined => {
  const path = pathIn(io.folder, file);
  const found = entryAt(path);
  if (found !== undefined && (found.mode & WRITE_BITS) === 0)
    return problem("file-unwritable", wholeFile(file), { cause: "read-only" });
  const error = unmakable(`${path}.part`);
  return error === undefined ? undefined : problem("file-unwritable", wholeFile(file), { cause: fileCause(error) });
};

/** What stands there, or will: a text of the same kind may be replaced. */
export const outInTheWay = (given: Arguments, io: Io, file: string, isOurs: IsOurs): Problem | undefined =>
  ownPathProblem(given, io, file) ?? inTheWay(io.folder, file, isOurs);

/** A file that the configuration names and that is not there yet may be the one to write: then it has that role, and no other. */
export const newFileObstacle = (given: Arguments, io: Io, file: string, role: PathRoleName): Problem | undefined =>
  ownPathProblem(given, io, file, role) ?? inTheWay(io.folder, file, NOTHING_OURS) ?? unwritableProblem(io, file);

/** A configuration that cannot be read is told by whoever needs it. */
export const ownPathProblem = (given: Arguments, io: Io, file: string, except?: PathRoleName): Problem | undefined => {
  const read = hasConfig(given, io) ? readConfig(given, io) : undefined;
  if (read?.kind !== "ok") return undefined;
  const { config, file: named, home } = read.value;
  const output = { claims: claimsOfOut(pathIn(io.folder, file)), role: "output" } as const;
  const refusal = roleRefusal(
    output,
    rolesIn(config, home, named).filter(({ role }) => role !== except),
  );
  return refusal === undefined ? undefined : problemOf(refusal, wholeFile(file));
};
