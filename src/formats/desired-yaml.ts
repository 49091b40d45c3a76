// desired.yaml: what an operator wrote for the VMs of one environment, read strictly and whole.
//
// Keeps P7-A2 (stopping is said, never a default), N8 (one entry for one vmid) and P7-F1 (what is misspelt is not
// lost). Not here: the syntax below (yaml-reader.ts), ordering and digest (spine/plan/desired-state.ts).

import { type DesiredVm, isVmid, VMID_MAX } from "../spine/model.ts";
import { refuse } from "../spine/rules/refusals.ts";
import { present } from "../spine/values/present.ts";
import { foundIn, plainly, wholeNumber } from "./expectation.ts";
import { CPUS_MAX, isCpus, isEnvironmentName, isName, isText } from "./fields.ts";
import { memoryAt } from "./memory-text.ts";
import type { Parsed } from "./problem.ts";
import {
  fieldsAt,
  itemsAt,
  parseYaml,
  plain,
  reportFound,
  reportMissing,
  reportType,
  type Spot,
  type YamlReader,
} from "./yaml/yaml-reader.ts";
import { integerAt, textAt, versionAt, wordAt } from "./yaml/yaml-values.ts";

export type DesiredFile = { readonly environment: string; readonly vms: readonly DesiredVm[] };

const FILE_KEYS = ["version", "environment", "vms"];
const REQUIRED_KEYS = ["vmid", "name", "target"];
const ENTRY_KEYS = [...REQUIRED_KEYS, "stop", "cpus", "memory", "identity", "protected"];
const TARGETS = ["running", "stopped"] as const;
const STOPS = ["shutdown", "power-off"] as const;

const ENVIRONMENT = { expected: plainly("environment-name"), is: isEnvironmentName };
const NAME = { expected: plainly("name"), is: isName };
const IDENTITY = { expected: plainly("identity"), is: isText };
const VMID = { expected: { cause: "vmid", facts: { max: VMID_MAX, min: 1 } }, is: isVmid } as const;
const CPUS = { expected: wholeNumber(1, CPUS_MAX), is: isCpus };

export const parseDesired = (text: string, file: string): Parsed<DesiredFile> =>
  parseYaml(text, file, { objects: () => false, shows: foundIn }, readFile);

const readFile = (reader: YamlReader, root: Spot): DesiredFile | undefined => {
  const fields = fieldsAt(reader, root, FILE_KEYS);
  if (fields === undefined) return undefined;
  reportMissing(reader, root, fields, FILE_KEYS);
  versionAt(reader, fields.get("version"));
  const environment = textAt(reader, fields.get("environment"), ENVIRONMENT);
  const list = fields.get("vms");
  const entries = list === undefined ? undefined : itemsAt(reader, list);
  if (entries === undefined) return undefined;

  const firstAt = new Map<number, number>();
  const vms: DesiredVm[] = [];
  for (const entry of entries) {
    const vm = readEntry(reader, entry, firstAt);
    if (vm !== undefined) vms.push(vm);
  }
  return environment === undefined ? undefined : { environment, vms };
};

const readEntry = (reader: YamlReader, entry: Spot, firstAt: Map<number, number>): DesiredVm | undefined => {
  const fields = fieldsAt(reader, entry, ENTRY_KEYS);
  if (fields === undefined) return undefined;
  reportMissing(reader, entry, fields, REQUIRED_KEYS);

  const cpus = integerAt(reader, fields.get("cpus"), CPUS);
  const identity = textAt(reader, fields.get("identity"), IDENTITY);
  const memory = memoryAt(reader, fields.get("memory"));
  const isProtected = protectedAt(reader, fields.get("protected"));
  const name = textAt(reader, fields.get("name"), NAME);
  const target = wordAt(reader, fields.get("target"), TARGETS);
  const stop = wordAt(reader, fields.get("stop"), STOPS);
  const vmid = integerAt(reader, fields.get("vmid"), VMID);

  const vmidSpot = fields.get("vmid");
  if (vmid !== undefined && vmidSpot !== undefined) {
    const first = firstAt.get(vmid);
    if (first === undefined) firstAt.set(vmid, vmidSpot.offset);
    else {
      const facts = { firstLine: reader.lineAt(first), number: vmid };
      reader.report(vmidSpot, refuse("vmid-duplicate", { cause: "in-line", facts }));
    }
  }
  const stopSpot = fields.get("stop");
  if (target === "running" && stopSpot !== undefined) {
    reader.report(stopSpot, refuse("stop-idle", {}));
  }
  const targetSpot = fields.get("target");
  if (target === "stopped" && stopSpot === undefined && targetSpot !== undefined) {
    reader.report(targetSpot, refuse("stop-unsaid", {}));
  }

  if (name === undefined || vmid === undefined || target === undefined) return undefined;
  const before = {
    ...present({ cpus, identity }),
    kind: "desired" as const,
    ...present({ memory }),
    name,
    ...present({ protected: isProtected }),
  };
  if (target === "running") return { ...before, target, vmid };
  return stop === undefined ? undefined : { ...before, stop, target, vmid };
};

/** Nothing takes protection away, so there is nothing else to write. */
const protectedAt = (reader: YamlReader, spot: Spot | undefined): true | undefined => {
  if (spot === undefined) return undefined;
  const value = plain(spot);
  if (value === true) return true;
  if (value !== false) return reportType(reader, spot, plainly("only-true"));
  return reportFound(reader, spot, (found) => refuse("value-wrong", { cause: "protected-false", facts: found }));
};
