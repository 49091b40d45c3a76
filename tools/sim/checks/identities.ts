// Which VM a number meant, read from the observations alone: nothing is planned for a VM that is another than the first
// one seen under its number, or the last one that an operator accepted.

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
  const shown = read.kind === "ok" ? (read.value as Pick<Observation, "vms">) : { vms: [] };
  parsed.set(bytes, shown);
  return shown;
};

export const identified: Check = ({ stage }) => {
  const found: string[] = [];
  const meant = new Map<string, string>();
  const observations = new Map<string, Pick<Observation, "vms">>();
  for (const entry of entriesOf(stage).filter(isGranted)) {
    const { auditId, environment = "", seq } = entry.record;
    const nameOf = (vmid: number): string => `${environment} ${vmid}`;
    if (isKind(entry, "observe")) {
      const shown = lookIn(stage, entry.request.observation);
      observations.set(auditId, shown);
      for (const { identity, status, vmid } of shown.vms) {
        if (status !== "unknown" && identity !== undefined && !meant.has(nameOf(vmid)))
          meant.set(nameOf(vmid), identity);
      }
    } else if (isKind(entry, "accept-identity")) {
      const { identity, observation: shown, vmid } = entry.request;
      const seen = observations.get(shown)?.vms.find((one) => one.vmid === vmid);
      if (seen?.identity !== identity) found.push(`record ${seq} accepts an identity that nobody saw`);
      meant.set(nameOf(vmid), identity);
    } else if (isKind(entry, "plan") && entry.result.kind === "planned") {
      const shown = observations.get(entry.request.observation);
      if (shown === undefined) continue;
      for (const { kind, vmid } of planIn(stage.ledger, entry.result).answers) {
        if (kind !== "step" || vmid === undefined) continue;
        const [was, seen] = [meant.get(nameOf(vmid)), shown.vms.find((one) => one.vmid === vmid)?.identity];
        if (was !== undefined && was !== seen) found.push(`record ${seq} plans for VM ${vmid}, which is another one`);
      }
    }
  }
  return found;
};
