// What is registered in a simulated world, read from its ledger; and the files that its operators register in turn.
//
// The first is the one that every world begins with. The others differ from it in one VM each: one is protected, one is
// gone, one is wanted otherwise; 104 differs where nobody's step is about it, and must void nothing.

import assert from "node:assert/strict";
import type { RegisteredEntry } from "../../src/kernel/command/request.ts";
import { get } from "../../src/kernel/state/persistent-map.ts";
import { entriesIn } from "../../src/kernel/state/registered-entry.ts";
import type { State } from "../../src/kernel/state/state.ts";
import { type DesiredState, type DesiredVm, isVmid, type Sha256, type Vmid } from "../../src/spine/model.ts";
import { desiredStateOf } from "../../src/spine/plan/desired-state.ts";
import type { SimLedger } from "./ledger.ts";

export const ENVIRONMENT = "home";

export const vmid = (value: number): Vmid => {
  assert.ok(isVmid(value), `${value} is a vmid`);
  return value;
};

/** 103 is production by its name, 104 by its entry; both are running and are never to be interrupted. */
export const DESIRED: readonly DesiredVm[] = [
  { kind: "desired", name: "web-01", target: "running", vmid: vmid(101) },
  { kind: "desired", name: "batch-01", stop: "shutdown", target: "stopped", vmid: vmid(102) },
  { kind: "desired", name: "prod-mail", target: "running", vmid: vmid(103) },
  { kind: "desired", name: "vault-01", protected: true, target: "running", vmid: vmid(104) },
];

const desiredFor = (entries: readonly DesiredVm[]): DesiredState => {
  const made = desiredStateOf(ENVIRONMENT, entries);
  assert.ok(!("kind" in made), "one entry for each VM");
  return made;
};
const changed = (id: number, more: Partial<Pick<DesiredVm, "cpus" | "protected">>): DesiredState =>
  desiredFor(DESIRED.map((entry) => (entry.vmid === id ? { ...entry, ...more } : entry)));
const without = (id: number): DesiredState => desiredFor(DESIRED.filter((entry) => entry.vmid !== id));

export const REGISTERED = desiredFor(DESIRED);
export const PROTECTING = changed(101, { protected: true });
export const REMOVING = without(101);
export const CHANGING_ANOTHER = changed(104, { cpus: 8 });
export const REGISTRATIONS: readonly [DesiredState, ...DesiredState[]] = [
  REGISTERED,
  PROTECTING,
  REMOVING,
  CHANGING_ANOTHER,
  changed(101, { cpus: 3 }),
  changed(102, { protected: true }),
  without(102),
];

/** Whether a file has another entry of this VM than the first one, or none. */
export const isChanged = ({ entries }: DesiredState, id: Vmid): boolean =>
  entries.find((entry) => entry.vmid === id) !== DESIRED.find((entry) => entry.vmid === id);

const known = new Map<Sha256, DesiredState>(REGISTRATIONS.map((desired) => [desired.digest, desired]));

/** What was registered last, whoever has read it. */
export const newestIn = ({ records }: Pick<SimLedger, "records">, environment: string): DesiredState | undefined => {
  const last = records
    .filter((record) => record.kind === "register" && record.environment === environment)
    .findLast(({ body }) => (body["result"] as { readonly kind: string }).kind === "done");
  return last === undefined ? undefined : known.get((last.body["request"] as { readonly desired: Sha256 }).desired);
};

/** What a state has registered; undefined where nothing is. */
export const desiredStateIn = (
  { blobs }: Pick<SimLedger, "blobs">,
  state: State,
  environment: string,
): DesiredState | undefined => {
  const desired = get(state.desired, environment);
  if (desired === undefined) return undefined;
  assert.ok(blobs.has(desired.digest), "what is registered is a blob");
  return known.get(desired.digest) ?? assert.fail("nobody registers anything else here");
};

/** As a door reads it. */
export const registeredOn = (
  ledger: Pick<SimLedger, "blobs">,
  state: State,
  environment: string,
  id: Vmid,
): RegisteredEntry => {
  const desired = desiredStateIn(ledger, state, environment);
  return desired === undefined ? "none" : entriesIn(desired)(id);
};
