// What a page is called in a tab, in the history and by whoever hears that another one is there: the same address has
// the same title, whatever is shown.

import type { Address, PageName, Strayed } from "./page-address.ts";

const TITLES: { readonly [P in PageName]: (parts: Address<P>["parts"]) => string } = {
  after: ({ seq }) => `State after record ${seq}`,
  approvals: () => "Approvals",
  fleet: () => "Fleet",
  incident: () => "Incident",
  ledger: () => "Ledger",
  plan: ({ plan }) => `Plan ${plan}`,
  plans: () => "Plans",
  posture: () => "Posture",
  record: ({ seq }) => `Record ${seq}`,
  rules: () => "Rules",
  start: () => "Start",
  step: ({ plan, step }) => `Step ${step} of plan ${plan}`,
  verify: () => "Verify",
  vm: ({ environment, vmid }) => `VM ${vmid} in ${environment}`,
};

export const pageTitle = (address: Address | Strayed): string => {
  if ("kind" in address) return "No such page – Dedalus";
  const titled = TITLES[address.page] as (parts: Address["parts"]) => string;
  return `${titled(address.parts)} – Dedalus`;
};
