// register: what is wanted in an environment, as a recorded act, and what differs from before. Where another one was
// registered in between it is refused: what is shown as the difference is what was replaced.

import { bodyOf } from "../../kernel/command/record-body.ts";
import { registrationOf } from "../../kernel/state/registered-entry.ts";
import type { Ulid } from "../../ledger/record/record.ts";
import type { Sha256 } from "../../spine/model.ts";
import { refusedInput } from "../answer.ts";
import { type DesiredText, readDesired } from "../desired-text.ts";
import { differences, type EntryChange } from "../entry-changes.ts";
import { environmentAt } from "../hold/environment-at.ts";
import { readRegisteredIn } from "../read/registered.ts";
import { answerWith, type ServiceAct } from "./act.ts";

export type Registered = {
  /** From what was registered before; absent in a repeated answer. */
  readonly changes?: readonly EntryChange[];
  readonly digest: Sha256;
  readonly environment: string;
  readonly id: Ulid;
  readonly vms: number;
};

/** The environment is named beside the text's own, and both must be the same. keeps B3 */
export type RegisterRequest = { readonly environment?: string; readonly desired: DesiredText };

export const register: ServiceAct<RegisterRequest, Registered> = {
  perform: async (session, { environment, desired: given }) => {
    const { desk, ledger, writer } = session;
    const at = environmentAt(environment, desk);
    if ("code" in at) return refusedInput([at]);
    const read = readDesired(given, at.name);
    if (read.kind === "unreadable") return read.answer;
    const { desired } = read;
    const before = await readRegisteredIn(ledger.engine, await writer.refresh(), at.name);
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
    return { digest, environment: record.environment ?? "", id: record.auditId, vms };
  },
};
