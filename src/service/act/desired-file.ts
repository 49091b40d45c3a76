// The desired file of an environment against what is registered, before a plan is made: what differs is registered
// first, as an act of its own on record, or the plan is made on what is registered and says so.
//
// A plan never registers a loosening: that needs `register`, by somebody who means it. A file that cannot be read as
// one is refused, so that nobody plans on yesterday's words unawares. A requested action takes the same way, so that a
// protection that is only in the file yet counts. Keeps N2, N8, P7-A1. Not here: what counts as a loosening
// (spine/plan/loosening.ts).

import { isCoveredIn } from "../../kernel/decide/actors.ts";
import { registrationOf } from "../../kernel/state/registered-entry.ts";
import type { DesiredState } from "../../spine/model.ts";
import { type Loosening, looseningsIn } from "../../spine/plan/loosening.ts";
import type { RefusedAnswer } from "../answer.ts";
import { readDesiredFile } from "../desired-text.ts";
import { differences, type EntryChange } from "../entry-changes.ts";
import type { EnvironmentNamed } from "../hold/environment-at.ts";
import type { ServiceSession } from "../hold/session.ts";
import { readRegisteredIn } from "../read/registered.ts";

/** How the desired file and what is registered stood to each other when a plan was made. */
export type DesiredFileCompared = { readonly changes: readonly EntryChange[]; readonly file: string } & (
  | { readonly kind: "registered"; readonly seq: number }
  /** Planned on what is registered: the file loosens something, or the caller may not register. */
  | { readonly kind: "loosens"; readonly loosenings: readonly Loosening[] }
  | { readonly kind: "may-not-register" }
  | { readonly kind: "absent" }
);

/** What a plan may register first, once it is known that the plan can be made. */
export type DesiredFileAhead = Pick<DesiredFileCompared, "changes" | "file"> & {
  readonly after: DesiredState;
  /** What it was compared with; undefined where nothing was registered. */
  readonly before: DesiredState | undefined;
  readonly kind: "ahead";
};

/** Undefined where the file says what is registered. It registers nothing. */
export const compareDesiredFile = async (
  session: ServiceSession,
  at: EnvironmentNamed,
): Promise<DesiredFileAhead | DesiredFileCompared | RefusedAnswer | undefined> => {
  const { desired: file } = at.environment;
  const { caller, desk, ledger, writer } = session;
  const before = await readRegisteredIn(ledger.engine, await writer.refresh(), at.name);
  const read = readDesiredFile(desk.home, file, at.name);
  if (read.kind === "absent") return before === undefined ? undefined : { changes: [], file, kind: "absent" };
  if (read.kind === "unreadable") return read.answer;
  const { desired: after } = read;
  if (before?.digest === after.digest) return undefined;
  const changes = differences(before, after);
  if (!isCoveredIn(caller, "register", at.name)) return { changes, file, kind: "may-not-register" };
  const loosenings = before === undefined ? [] : looseningsIn(before, after);
  if (loosenings.length > 0) return { changes, file, kind: "loosens", loosenings };
  return { after, before, changes, file, kind: "ahead" };
};

/** Refused where another one was registered since: only against what it was compared with is it no loosening. */
export const registerAhead = async (
  session: ServiceSession,
  { name }: EnvironmentNamed,
  { after, before, changes, file }: DesiredFileAhead,
): Promise<DesiredFileCompared | RefusedAnswer> => {
  const asked = await session.ask(registrationOf(after, before), { environment: name, given: { desired: after } });
  return asked.kind === "refused" ? asked : { changes, file, kind: "registered", seq: asked.record.seq };
};
