// Which role may ask for which act, from the table that judges who asks. Acts of the kernel itself are left out.

import type { Role } from "../../src/kernel/command/roles.ts";
import { MAY } from "../../src/kernel/decide/actors.ts";

const HOLDERS: Readonly<Record<Role, string>> = {
  agent: "an agent",
  approver: "a person",
  auditor: "a person",
  observer: "a person or an agent",
  operator: "a person",
  sensor: "an agent, and no other role beside it",
};

export const roleLines = (): readonly string[] => [
  "| role | held by | may ask for |",
  "| --- | --- | --- |",
  ...Object.entries(HOLDERS).map(([role, holder]) => {
    const acts = Object.entries(MAY).flatMap(([act, { roles }]) =>
      roles !== "any" && roles.some((one) => one === role) ? [`\`${act}\``] : [],
    );
    return `| ${role} | ${holder} | ${acts.toSorted().join(", ")} |`;
  }),
];
