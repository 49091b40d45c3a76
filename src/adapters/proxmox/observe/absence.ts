// Whether a VM that is not listed may be believed to be absent. Keeps N1.
//
// PVE shortens lists silently to what a token may see, and a cluster without quorum may lag behind; so absence needs
// the right to see that very id, and quorum. Without either, "not visible" is all that can be said.

import type { Vmid } from "../../../spine/model.ts";
import { type Gap, gap } from "../../../spine/observed-codes.ts";
import type { PveReader } from "../api/pve-reader.ts";
import { whyNot } from "../api/pve-reply.ts";
import type { Cluster } from "./cluster.ts";
import { has, mayReach, pathOfVm, type RightsByPath, rightsOf } from "./permissions.ts";

const AUDIT = "VM.Audit";

/** One gap for each VM whose absence is not proven, in the order of the VMs. */
export const findAbsenceGaps = async (
  reader: PveReader,
  absent: readonly Vmid[],
  unread: number,
  { quorum }: Cluster,
  signal: AbortSignal,
): Promise<readonly Gap[]> => {
  if (absent.length === 0) return [];
  if (quorum === "lost") return [gap("quorum-lost")];
  if (quorum !== "present") return [gap("quorum-not-seen", quorum)];
  if (unread > 0) return [gap("rows-unreadable", { facts: { rows: unread } })];
  const everywhere = await reader.permissions("everywhere", signal);
  if (everywhere.kind !== "data") return [gap("rights-not-seen", { diagnostic: whyNot(everywhere) })];
  const rights = rightsOf(everywhere.data);
  if (rights === undefined) return [gap("rights-unreadable")];
  const gaps = await Promise.all(absent.map((vmid) => gapOf(reader, vmid, rights, signal)));
  return clipped(gaps.filter((gap) => gap !== undefined));
};

/** Enough to find the cause; a token without rights must not become ten thousand gaps. */
const GAPS_MAX = 20;

const clipped = (gaps: readonly Gap[]): readonly Gap[] =>
  gaps.length <= GAPS_MAX
    ? gaps
    : [...gaps.slice(0, GAPS_MAX), gap("more-not-visible", { facts: { more: gaps.length - GAPS_MAX } })];

const gapOf = async (
  reader: PveReader,
  vmid: Vmid,
  rights: RightsByPath,
  signal: AbortSignal,
): Promise<Gap | undefined> => {
  const invisible = gap("vm-not-visible", { facts: { path: pathOfVm(vmid), right: AUDIT, vm: vmid } });
  if (!mayReach(rights, vmid, AUDIT)) return invisible;
  const reply = await reader.permissions(vmid, signal);
  if (reply.kind !== "data") return gap("visibility-not-seen", { diagnostic: whyNot(reply), facts: { vm: vmid } });
  const own = rightsOf(reply.data);
  return own !== undefined && has(own, pathOfVm(vmid), AUDIT) ? undefined : invisible;
};
