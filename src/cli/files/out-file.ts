// Whether a file that a command is told to write may be written, asked before the command does anything.
//
// No path of the installation itself is: what the ledger, its anchor or its key will write there later would be
// destroyed, or destroy it. Not here: writing it (files.ts), what the paths of an installation are
// (service/path-roles.ts).

import { type Problem, problem, problemOf, wholeFile } from "../../formats/problem.ts";
import { fileCause } from "../../ledger/files/file-cause.ts";
import { statEntry } from "../../ledger/files/file-stats.ts";
import { claimsOfOut } from "../../ledger/files/path-claims.ts";
import { probeFile } from "../../ledger/files/writable.ts";
import { checkRole, type PathRoleName } from "../../service/path-roles.ts";
import type { Arguments } from "../command.ts";
import type { Io } from "../process/io.ts";
import { findInTheWay, type IsOurs, NOTHING_OURS, pathIn } from "./files.ts";
import { hasConfig, readConfig, rolesIn } from "./find-config.ts";

const WRITE_BITS = 0o222;

/** A file that nobody may write was not meant to be replaced, though its folder would allow it. */
export const probeOutFile = (given: Arguments, io: Io, file: string, isOurs: IsOurs): Problem | undefined =>
  findOutInTheWay(given, io, file, isOurs) ?? unwritableProblem(io, file);

const unwritableProblem = (io: Io, file: string): Problem | undefined => {
  const path = pathIn(io.folder, file);
  const found = statEntry(path);
  if (found !== undefined && (found.mode & WRITE_BITS) === 0)
    return problem("file-unwritable", wholeFile(file), { cause: "read-only" });
  const error = probeFile(`${path}.part`);
  return error === undefined ? undefined : problem("file-unwritable", wholeFile(file), { cause: fileCause(error) });
};

/** What stands there, or will: a text of the same kind may be replaced. */
export const findOutInTheWay = (given: Arguments, io: Io, file: string, isOurs: IsOurs): Problem | undefined =>
  findOwnPathProblem(given, io, file) ?? findInTheWay(io.folder, file, isOurs);

/**
 * A file that the configuration names and that is not there yet may be the one to write: then it has that role, and no
 * other.
 */
export const probeNewFile = (given: Arguments, io: Io, file: string, role: PathRoleName): Problem | undefined =>
  findOwnPathProblem(given, io, file, role) ??
  findInTheWay(io.folder, file, NOTHING_OURS) ??
  unwritableProblem(io, file);

/** A configuration that cannot be read is told by whoever needs it. */
export const findOwnPathProblem = (
  given: Arguments,
  io: Io,
  file: string,
  except?: PathRoleName,
): Problem | undefined => {
  const read = hasConfig(given, io) ? readConfig(given, io) : undefined;
  if (read?.kind !== "ok") return undefined;
  const { config, file: named, home } = read.value;
  const output = { claims: claimsOfOut(pathIn(io.folder, file)), role: "output" } as const;
  const refusal = checkRole(
    output,
    rolesIn(config, home, named).filter(({ role }) => role !== except),
  );
  return refusal === undefined ? undefined : problemOf(refusal, wholeFile(file));
};
