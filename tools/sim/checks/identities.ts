// Which VM a number meant, read from the looks alone: nothing is planned for a VM that is another than the first one seen
// under its number, or the last one that an operator accepted.

import { parseJson } from "../../../src/formats/json/json-text.ts";
import type { Observation } from "../../../src/spine/model.ts";
import { planIn } from "../board.ts";
import { type Check, entriesOf, isGranted, isKind, type Scene } from "./evidence.ts";

const parsed = new WeakMap<Uint8Array, Pick<Observation, "vms">>();

/** Each blob is read once, however often it is asked for. */
const lookIn = ({ ledger }: Scene, digest: string): Pick<Observation, "vms"> => {
  const bytes = ledger.blobs.get(digest as Parameters<typeof ledger.blobs.get>[0]);
  if (bytes === undefined) return { vms: [] };
  const known = parsed.get(bytes);
  if (known !== undefined) return known;
  const read = parseJson(new TextDecoder().decode(bytes), "observation");
  const look = read.kind === "ok" ? (read.value as Pick<Observation, "vms">) : { vms: [] };
  parsed.set(bytes, look);
  return look;
};

export const identified: Check = ({ stage }) => {
  const found: string[] = [];
  const meant = new Map<string, string>();
  const looks = new Map<string, Pick<Observation, "vms">>();
  for (const entry of entriesOf(stage).filter(isGranted)) {
    const { auditId, environment = "", seq } = entry.record;
    const nameOf = (vmid: number): string => `${environment} ${vmid}`;
    if (isKind(entry, "observe")) {
      const look = lookIn(stage, entry.request.observation);
      looks.set(auditId, look);
      for (const { identity, status, vmid } of look.vms) {
        if (status !== "unknown" && identity !== undefined && !meant.has(nameOf(vmid)))
          meant.set(nameOf(vmid), identity);
      }
    } else if (isKind(entry, "accept-identity")) {
      const { identity, observation: look, vmid } = entry.request;
      const seen = looks.get(look)?.vms.find((one) => one.vmid === vmid);
      if (seen?.identity !== identity) found.push(`record ${seq} accepts an identity that nobody saw`);
      meant.set(nameOf(vmid), identity);
    } else if (isKind(entry, "plan") && entry.result.kind === "planned") {
      const look = looks.get(entry.request.observation);
      if (look === undefined) continue;
      for (const { kind, vmid } of planIn(stage.ledger, entry.result).answers) {
        if (kind !== "step" || vmid === undefined) continue;
        const [was, seen] = [meant.get(nameOf(vmid)), look.vms.find((one) => one.vmid === vmid)?.identity];
        if (was !== undefined && was !== seen) found.push(`record ${seq} plans for VM ${vmid}, which is another one`);
      }
    }
  }
  return found;
};
