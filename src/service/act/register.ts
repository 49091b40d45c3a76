// register: what is wanted in an environment, as a recorded act, and what differs from before. Where another one was
// registered in between it is refused: what is shown as the difference is what was replaced.

import { bodyOf } from "../../kernel/command/record-body.ts";
import { registrationOf } from "../../kernel/state/registered-entry.ts";
import type { Ulid } from "../../ledger/record/record.ts";
import type { DesiredEntry, DesiredState, Sha256 } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { canonical, type Json } from "../../spine/values/canonical.ts";
import { refusedInput } from "../answer.ts";
import { environmentAt } from "../hold/environment-at.ts";
import { readRegisteredIn } from "../read/registered.ts";
import { answerWith, type ServiceAct } from "./act.ts";

export type EntryChange = {
  readonly change: "added" | "changed" | "removed";
  readonly name: string;
  readonly vmid: number;
};
export type Registered = {
  /** From what was registered before; absent in a repeated answer. */
  readonly changes?: readonly EntryChange[];
  readonly digest: Sha256;
  readonly environment: string;
  readonly id: Ulid;
  readonly vms: number;
};

/** The environment is named beside the file's own, and both must be the same. keeps B3 */
export type RegisterRequest = { readonly environment?: string; readonly desired: DesiredState };

export const register: ServiceAct<RegisterRequest, Registered> = {
  perform: async (session, { environment, desired }) => {
    const { desk, ledger, writer } = session;
    const at = environmentAt(environment, desk);
    if ("code" in at) return refusedInput([at]);
    if (desired.environment !== at.name) {
      return refusedInput([refuse("plan-foreign", { cause: "file", facts: { of: desired.environment } })]);
    }
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

export const differences = (before: DesiredState | undefined, after: DesiredState): readonly EntryChange[] => {
  const old = new Map((before?.entries ?? []).map((entry) => [entry.vmid, entry]));
  const fresh = new Map(after.entries.map((entry) => [entry.vmid, entry]));
  const text = (entry: DesiredEntry): string => canonical({ ...entry } as { readonly [key: string]: Json });
  return [
    ...after.entries.flatMap((entry): readonly EntryChange[] => {
      const was = old.get(entry.vmid);
      if (was === undefined) return [{ change: "added", name: entry.name, vmid: entry.vmid }];
      return text(was) === text(entry) ? [] : [{ change: "changed", name: entry.name, vmid: entry.vmid }];
    }),
    ...[...old.values()].flatMap((entry): readonly EntryChange[] =>
      fresh.has(entry.vmid) ? [] : [{ change: "removed", name: entry.name, vmid: entry.vmid }],
    ),
  ].sort((a, b) => a.vmid - b.vmid);
};
