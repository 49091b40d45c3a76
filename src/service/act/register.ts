// register: what is wanted in an environment, as a recorded act, and what differs from before. Where another one was
// registered in between it is refused: what is shown as the difference is what was replaced.
//
// A loosening (spine/plan/loosening.ts) is registered by somebody who says that it is meant, having seen what is
// loosened. The kernel takes it from everybody who may register; the question is a door's. Keeps N2, N8.

import { bodyOf } from "../../kernel/command/record-body.ts";
import { registrationOf } from "../../kernel/state/registered-entry.ts";
import type { Ulid } from "../../ledger/record/record.ts";
import type { DesiredState, Refusal, Sha256 } from "../../spine/model.ts";
import { looseningsIn } from "../../spine/plan/loosening.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { refusedByRule, refusedInput } from "../answer.ts";
import { type DesiredText, readDesired } from "../desired-text.ts";
import { differences, type EntryChange } from "../entry-changes.ts";
import { environmentAt } from "../hold/environment-at.ts";
import { checkAsker } from "../hold/session.ts";
import { readRegisteredIn } from "../read/registered.ts";
import { answerWith, type ServiceAct } from "./act.ts";

export type Registered = {
  readonly by: string;
  /** From what was registered before; absent in a repeated answer. */
  readonly changes?: readonly EntryChange[];
  readonly digest: Sha256;
  readonly environment: string;
  readonly id: Ulid;
  readonly seq: number;
  readonly vms: number;
};

/** The environment is named beside the text's own, and both must be the same. keeps B3 */
export type RegisterRequest = {
  readonly environment?: string;
  readonly desired: DesiredText;
  /** That a loosening is meant: whatever it is, or the one against this registration, which was shown. */
  readonly loosens?: "whatever" | Sha256;
};

export const register: ServiceAct<RegisterRequest, Registered> = {
  perform: async (session, { environment, desired: given, loosens }) => {
    const { desk, ledger, writer } = session;
    const at = environmentAt(environment, desk);
    if ("code" in at) return refusedInput([at]);
    const read = readDesired(given, at.name);
    if (read.kind === "unreadable") return read.answer;
    const { desired } = read;
    const before = await readRegisteredIn(ledger.engine, await writer.refresh(), at.name);
    const unmeant = before === undefined ? undefined : looseningUnmeant(at.name, before, desired, loosens);
    // Whoever may not register is told that, and not to confirm first.
    if (unmeant !== undefined) return (await checkAsker(session, "register", at.name)) ?? refusedByRule(unmeant);
    const asked = await session.answer(registrationOf(desired, before), { environment: at.name, given: { desired } });
    const answer = await answerWith(session, asked, register.valueIn);
    return answer.kind === "refused" || answer.replayed
      ? answer
      : { ...answer, value: { changes: differences(before, desired), ...answer.value } };
  },
  valueIn: async (_, record) => {
    const body = bodyOf(record);
    if (body?.kind !== "register") throw new Error(`record ${record.seq} registers nothing`);
    const { vms, desired: digest } = body.request;
    const { actor, auditId: id, environment = "", seq } = record;
    return { by: actor.id, digest, environment, id, seq, vms };
  },
};

const looseningUnmeant = (
  environment: string,
  before: DesiredState,
  after: DesiredState,
  meant: RegisterRequest["loosens"],
): Refusal | undefined => {
  const loosenings = looseningsIn(before, after);
  if (loosenings.length === 0 || meant === "whatever" || meant === before.digest) return undefined;
  const facts = {
    count: loosenings.length,
    environment,
    kinds: loosenings.map(({ kind }) => kind),
    names: loosenings.map(({ name }) => name),
    registered: before.digest,
    vmids: loosenings.map(({ vmid }) => vmid),
  };
  return refuse("loosening-unconfirmed", { cause: meant === undefined ? "unsaid" : "moved", facts });
};
