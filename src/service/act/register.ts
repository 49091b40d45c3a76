// register: what is wanted in an environment, as a recorded act, and what differs from before.

import { bodyOf } from "../../kernel/command/record-body.ts";
import { registrationOf } from "../../kernel/state/registered-entry.ts";
import type { Ulid } from "../../ledger/record/record.ts";
import type { Sha256, Wish, Wishes } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { canonical, type Json } from "../../spine/values/canonical.ts";
import { refusedInput } from "../answer.ts";
import { environmentAt } from "../hold/session.ts";
import { registeredIn } from "../read/recorded.ts";
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
export type RegisterRequest = { readonly environment: string; readonly wishes: Wishes };

export const register: ServiceAct<RegisterRequest, Registered> = {
  perform: async (session, { environment, wishes }) => {
    const { desk, ledger, writer } = session;
    const at = environmentAt(environment, desk);
    if ("code" in at) return refusedInput([at]);
    if (wishes.environment !== at.name) {
      return refusedInput([refuse("plan-foreign", { cause: "file", facts: { of: wishes.environment } })]);
    }
    const before = await registeredIn(ledger.engine, writer.state(), at.name);
    const asked = await session.answer(registrationOf(wishes), { environment: at.name, given: { wishes } });
    const answer = await answerWith(session, asked, register.valueIn);
    return answer.kind === "refused" || answer.replayed
      ? answer
      : { ...answer, value: { changes: differences(before, wishes), ...answer.value } };
  },
  valueIn: async (_, record) => {
    const body = bodyOf(record);
    if (body?.kind !== "register") throw new Error(`record ${record.seq} registers nothing`);
    const { vms, wishes: digest } = body.request;
    return { digest, environment: record.environment ?? "", id: record.auditId, vms };
  },
};

const differences = (before: Wishes | undefined, after: Wishes): readonly EntryChange[] => {
  const old = new Map((before?.wishes ?? []).map((wish) => [wish.vmid, wish]));
  const fresh = new Map(after.wishes.map((wish) => [wish.vmid, wish]));
  const text = (wish: Wish): string => canonical({ ...wish } as { readonly [key: string]: Json });
  return [
    ...after.wishes.flatMap((wish): readonly EntryChange[] => {
      const was = old.get(wish.vmid);
      if (was === undefined) return [{ change: "added", name: wish.name, vmid: wish.vmid }];
      return text(was) === text(wish) ? [] : [{ change: "changed", name: wish.name, vmid: wish.vmid }];
    }),
    ...[...old.values()].flatMap((wish): readonly EntryChange[] =>
      fresh.has(wish.vmid) ? [] : [{ change: "removed", name: wish.name, vmid: wish.vmid }],
    ),
  ].sort((a, b) => a.vmid - b.vmid);
};
