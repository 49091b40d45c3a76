// A desired.yaml of entries, for tests that hand one in as an operator would.

import type { DesiredVm } from "../src/spine/model.ts";
import { ENVIRONMENT } from "./spine/world.ts";

const entryText = ({ cpus, identity, memory, name, vmid, ...rest }: DesiredVm): string => {
  const fields = {
    vmid,
    name: JSON.stringify(name),
    target: rest.target,
    stop: rest.target === "stopped" ? rest.stop : undefined,
    cpus,
    memory,
    identity: identity === undefined ? undefined : JSON.stringify(identity),
    protected: rest.protected,
  };
  const texts = Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [`${key}: ${value}`]));
  return `  - { ${texts.join(", ")} }\n`;
};

export const desiredTextOf = (entries: readonly DesiredVm[]): string => {
  const vms = entries.length === 0 ? "vms: []\n" : `vms:\n${entries.map(entryText).join("")}`;
  return `version: 1\nenvironment: ${ENVIRONMENT}\n${vms}`;
};
