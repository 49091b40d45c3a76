// Finding the guest that a path names, and turning a call on it into a reply.

import { isVmid, type Vmid } from "../../spine/model.ts";
import { guestAt, missingFile } from "../world/refused-call.ts";
import type { GuestKind } from "../world/settings.ts";
import type { SimulatedGuest } from "../world/world.ts";
import type { CallAnswered, Work } from "../world/world-calls.ts";
import type { Need } from "./access.ts";
import { data, died, type Replied, type SimulatedReply, soon } from "./api-reply.ts";
import { type Context, textIn, userOf } from "./route.ts";
import type { Params } from "./schema.ts";

export const FOLDER = { ct: "lxc", vm: "qemu" } as const satisfies Record<GuestKind, string>;
export const KINDS: readonly GuestKind[] = ["vm", "ct"];

export const onGuest =
  (privileges: readonly string[], isAny = false) =>
  (params: Params): Need => ({ isAny, path: `/vms/${textIn(params, "vmid")}`, privileges });

/** The schema has checked it. */
const vmidIn = (params: Params): Vmid => {
  const value = Number(params.get("vmid"));
  if (!isVmid(value)) throw new Error("a vmid that no schema has checked");
  return value;
};

const replyOf = ({ answer, delayMs }: CallAnswered): Replied => {
  const reply = ((): SimulatedReply => {
    switch (answer.kind) {
      case "task":
        return data(answer.upid);
      case "done":
        return data(null);
      case "refused":
        return died(answer.text);
      case "unreached":
        return { kind: "empty", reason: answer.text, status: answer.status };
      case "lost":
        return { how: answer.how, kind: "lost" };
    }
  })();
  return { delayMs, reply };
};

export const callGuest = ({ params, provider, who }: Context, kind: GuestKind, work: Work): Replied =>
  replyOf(provider.call({ kind, node: textIn(params, "node"), user: userOf(who), vmid: vmidIn(params), work }));

/** A read of one guest, which a fault may be waiting for. */
export const readGuest = (
  { params, provider }: Context,
  kind: GuestKind,
  read: (guest: SimulatedGuest) => SimulatedReply,
  delayOf: (guest: SimulatedGuest) => number = () => 0,
): Replied => {
  const vmid = vmidIn(params);
  const node = textIn(params, "node");
  const { delayMs, lost } = provider.beforeRead(vmid);
  if (lost !== undefined) return soon({ how: lost, kind: "lost" });
  const guest = guestAt(provider.world(), { kind, node, vmid });
  const reply = guest === undefined ? died(missingFile({ kind, node, vmid })) : read(guest);
  provider.afterRead(vmid);
  return { delayMs: delayMs + (guest === undefined ? 0 : delayOf(guest)), reply };
};
