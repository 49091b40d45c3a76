// One observation of one guest on its node: its status and its configuration, and its snapshots where they are asked
// for.
//
// Not here: where the guest is (whereabouts.ts), and which guests are observed (pve-source.ts).

import type { Diagnostic } from "../../../spine/diagnostic-codes.ts";
import type { Snapshots, Vmid, VmState } from "../../../spine/model.ts";
import { type Doubt, doubt } from "../../../spine/observed-codes.ts";
import type { GuestRef } from "../api/names.ts";
import type { PveReader } from "../api/pve-reader.ts";
import { isProxyError, type PveReply, whyNot } from "../api/pve-reply.ts";
import type { Quorum } from "./cluster.ts";
import { settingsOf } from "./guest-config.ts";
import { pathOfVm } from "./permissions.ts";
import { statusOf } from "./run-state.ts";
import { snapshotsOf } from "./snapshot-list.ts";
import { knownOf, unknownState, vmStateOf } from "./vm-state.ts";

export type GuestSeen =
  | { readonly kind: "state"; readonly state: VmState }
  /** Its configuration is not on this node: it moved, or it was destroyed. */
  | { readonly kind: "gone" }
  /** The node itself did not answer, so the others on it need not be asked. */
  | { readonly kind: "no-answer"; readonly why: Diagnostic };

export type Asking = {
  readonly atWork: Promise<ReadonlyMap<Vmid, string>>;
  readonly name: string;
  readonly newSnapshot: string | undefined;
  readonly quorum: Quorum;
  readonly withSnapshots: boolean;
};

export const observeGuest = async (
  reader: PveReader,
  guest: GuestRef,
  asking: Asking,
  signal: AbortSignal,
): Promise<GuestSeen> => {
  const [atWork, status, config, list] = await Promise.all([
    asking.atWork,
    reader.status(guest, signal),
    reader.config(guest, signal),
    asking.withSnapshots ? reader.snapshots(guest, signal) : undefined,
  ]);
  const known = knownOf(guest, asking.name);
  const unknown = (because: Doubt): GuestSeen => ({ kind: "state", state: unknownState(guest.vmid, because, known) });
  if (status.kind !== "data") return notSeen(status, guest, unknown);
  if (config.kind !== "data") return notSeen(config, guest, unknown);
  const run = statusOf(status.data, guest);
  if (run.kind === "doubtful") return unknown(run.because);
  const settings = settingsOf(config.data);
  if (settings === undefined) return unknown(doubt("configuration-unreadable"));
  return {
    kind: "state",
    state: vmStateOf(
      {
        atWork: atWork.get(guest.vmid),
        guest,
        newSnapshot: asking.newSnapshot,
        quorum: asking.quorum,
        settings,
        status: run,
      },
      listed(list, guest),
    ),
  };
};

const listed = (reply: PveReply | undefined, { kind }: GuestRef): Snapshots | undefined =>
  reply?.kind === "data" ? snapshotsOf(reply.data, kind) : undefined;

/** Of a guest whose configuration is not on the node: pve-guest-common 6.0.2 src/PVE/AbstractConfig.pm, load_config. */
const ABSENT_HERE = /^Configuration file '[^']*' does not exist/;

const notSeen = (
  reply: Exclude<PveReply, { readonly kind: "data" }>,
  { node, vmid }: GuestRef,
  unknown: (because: Doubt) => GuestSeen,
): GuestSeen => {
  if (reply.kind === "unreadable") return unknown(doubt("reply-unreadable", { diagnostic: reply.why }));
  if (reply.kind === "none" || isProxyError(reply.status)) return { kind: "no-answer", why: whyNot(reply) };
  if (ABSENT_HERE.test(reply.text)) return { kind: "gone" };
  if (reply.status === 403) {
    return unknown(doubt("right-missing", { facts: { path: pathOfVm(vmid) }, said: reply.text }));
  }
  return unknown(doubt("node-refused", { diagnostic: whyNot(reply), facts: { node } }));
};
