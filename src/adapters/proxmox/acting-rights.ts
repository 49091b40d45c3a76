// Which actions a token may perform on the wanted VMs, and which privilege is missing for the others.
//
// A privilege that is left out on purpose is the best protection there is, so it is told and not called wrong; a VM that
// the token cannot act on at all is.

import type { Vmid } from "../../spine/model.ts";
import { CALLS, callOf, type SentKind } from "./calls.ts";
import type { Finding } from "./examine.ts";
import { grantActing } from "./grants.ts";
import { has, pathOfVm, pathsText, type Rights } from "./permissions.ts";
import type { Token } from "./token.ts";

const KINDS = Object.keys(CALLS) as readonly SentKind[];
const PRIVILEGES = [...new Set(KINDS.flatMap((kind) => callOf(kind).privileges))];
const POWER = "VM.PowerMgmt";

export const actingFinding = (token: Token, wanted: readonly Vmid[], rights: Rights): Finding => {
  const paths = wanted.map(pathOfVm);
  const lacking = (privilege: string): readonly string[] => paths.filter((path) => !has(rights, path, privilege));
  const missing = PRIVILEGES.filter((privilege) => lacking(privilege).length > 0);
  const check = "rights to act";
  if (missing.length === 0) return { check, found: "every action on every wanted VM", isWrong: false, next: [] };
  const forbidden = KINDS.filter((kind) => callOf(kind).privileges.some((privilege) => missing.includes(privilege)));
  const where = Map.groupBy(missing, (privilege) => pathsText(lacking(privilege), paths.length));
  const told = Array.from(where, ([on, privileges]) => `${privileges.join(", ")} on ${on}`);
  const affected = paths.filter((path) => missing.some((privilege) => !has(rights, path, privilege)));
  return {
    check,
    found: `not everywhere: ${forbidden.join(", ")}; missing: ${told.join("; ")}`,
    isWrong:
      paths.some((path) => !PRIVILEGES.some((privilege) => has(rights, path, privilege))) || missing.includes(POWER),
    next: grantActing(token, missing, affected),
  };
};
