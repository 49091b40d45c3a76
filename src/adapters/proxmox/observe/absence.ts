// Whether a VM that is not listed may be believed to be absent. Keeps N1.
//
// PVE shortens lists silently to what a token may see, and a cluster without quorum may lag behind; so absence needs
// the right to see that very id, and quorum. Without either, "not visible" is all that can be said.

import type { Vmid } from "../../../spine/model.ts";
import type { Reader } from "../api/pve-reader.ts";
import { whyNot } from "../api/pve-reply.ts";
import type { Cluster } from "./cluster.ts";
import { has, mayReach, pathOfVm, type Rights, rightsOf } from "./permissions.ts";

const AUDIT = "VM.Audit";

/** One sentence for each VM whose absence is not proven, in the order of the VMs. */
export const absenceGaps = async (
  reader: Reader,
  absent: readonly Vmid[],
  unread: number,
  { quorum }: Cluster,
  signal: AbortSignal,
): Promise<readonly string[]> => {
  if (absent.length === 0) return [];
  if (quorum !== "present") {
    const why = quorum === "lost" ? "the cluster has no quorum, and its list may be old" : quorum.because;
    return [`no absence can be believed: ${why}`];
  }
  if (unread > 0) return [`no absence can be believed: ${unread} rows of the cluster's list cannot be read`];
  const everywhere = await reader.permissions("everywhere", signal);
  if (everywhere.kind !== "data")
    return [`no absence can be believed: the token's rights were not seen: ${whyNot(everywhere)}`];
  const rights = rightsOf(everywhere.data);
  if (rights === undefined) return ["no absence can be believed: the token's rights are not readable"];
  const gaps = await Promise.all(absent.map((vmid) => gapOf(reader, vmid, rights, signal)));
  return clipped(gaps.filter((gap) => gap !== undefined));
};

/** Enough to find the cause; a token without rights must not become ten thousand sentences. */
const GAPS_MAX = 20;

const clipped = (gaps: readonly string[]): readonly string[] =>
  gaps.length <= GAPS_MAX
    ? gaps
    : [...gaps.slice(0, GAPS_MAX), `and ${gaps.length - GAPS_MAX} more whose absence is not proven`];

const gapOf = async (reader: Reader, vmid: Vmid, rights: Rights, signal: AbortSignal): Promise<string | undefined> => {
  const invisible = `VM ${vmid} is not visible to this token, which lacks ${AUDIT} on ${pathOfVm(vmid)}`;
  if (!mayReach(rights, vmid, AUDIT)) return invisible;
  const reply = await reader.permissions(vmid, signal);
  if (reply.kind !== "data") return `whether VM ${vmid} would be visible was not seen: ${whyNot(reply)}`;
  const own = rightsOf(reply.data);
  return own !== undefined && has(own, pathOfVm(vmid), AUDIT) ? undefined : invisible;
};
