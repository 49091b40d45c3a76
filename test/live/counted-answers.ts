// Commands that are run with --json, counted: what came of each command, and every member that was printed.

import assert from "node:assert/strict";
import { COMMANDS } from "../../src/cli/catalogue/catalogue.ts";
import { findCommand } from "../../src/cli/catalogue/find-command.ts";
import { COMPARED_FIELDS } from "../../tools/answers/compared-fields.ts";
import { FIELDS } from "../../tools/answers/fields.ts";
import { VM_FIELDS } from "../../tools/answers/vm-fields.ts";
import { isErrorValue } from "../cli/answer-schema.ts";
import type { Printed } from "../cli/desk.ts";

type Dedalus = (...argv: readonly string[]) => Promise<Printed>;
type Ran = "answered" | "failed";

export const ran = new Map<string, Set<Ran>>(COMMANDS.map(({ name }) => [name, new Set()]));

/** A plan, a record and the like: its inner names are its own. */
const isDocument = (name: string): boolean => JSON.stringify(FIELDS[name] ?? {}).includes(".schema.json");

/** Every member that was printed, by its name; those of a list have numbers. */
export const printed = new Set<string>();
export const noteMembers = (value: unknown): void => {
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    printed.add(name);
    if (!isDocument(name)) noteMembers(inner);
  }
};

/** Runs with --json: one value on stdout and nothing else, and it is counted what came of the command. */
export const counting =
  (dedalus: Dedalus) =>
  async (...argv: readonly string[]): Promise<unknown> => {
    const { code, err, out } = await dedalus(...argv, "--json");
    const found = findCommand(argv);
    assert.equal(found.kind, "command", argv.join(" "));
    assert.equal(out.split("\n").length, 2, `${argv.join(" ")}: one line`);
    const value: unknown = JSON.parse(out);
    noteMembers(value);
    if (found.kind === "command") ran.get(found.entry.name)?.add(isErrorValue(value) ? "failed" : "answered");
    assert.equal(isErrorValue(value) && (code === 0 || code === 4), false, `${argv.join(" ")}: ${err}`);
    return value;
  };

/** Runs what has no end: the value of its first line says that it started. */
export const noteStarted = async (dedalus: Dedalus, name: string, ...rest: readonly string[]): Promise<void> => {
  const { err, out } = await dedalus(name, ...rest, "--json");
  const value = JSON.parse(out);
  assert.equal(value.kind, "started", err);
  noteMembers(value);
  ran.get(name)?.add("answered");
};

/**
 * Printed elsewhere: by doctor, kill, login, parity and simulate.test.ts, and in boundary and service/remote. What
 * is told of VMs is counted in service/fleet.test.ts, of two plans in service/compare-plans.test.ts.
 */
const ELSEWHERE =
  /^(?:act|againstApproval|againstChallenge|againstDenial|allowances|anchoredCount|approvalPage|approvalsGiven|asked|attempt|called|clauses?|commands|confirms|counted|cpus|denialsGiven|door|firstNote|gapCount|groups|holding|httpStatus|issuer|memory|method|newestCheckpoint|over|party|path|planHash|recordId|recovered|registeredEntries|remark|requester|server|signedCheckpoints|signedInAt|stop|sub|uncounted|untried|way)$/;

/** Members of the schema that nothing prints. */
export const unprinted = (): readonly string[] =>
  Object.keys(FIELDS).filter(
    (name) => !printed.has(name) && !ELSEWHERE.test(name) && !Object.hasOwn({ ...COMPARED_FIELDS, ...VM_FIELDS }, name),
  );
