// Which actions a token may perform on the wanted VMs, and which privilege is missing for the others.
//
// A privilege that is left out on purpose is the best protection there is, so it is told and not called wrong, and
// nothing is proposed that would grant it; a VM that the token can neither start nor stop is. A protected VM is left
// alone: that nothing may be done to it is as it should be.

import type { ExaminationFinding, ExaminedVm } from "../../examination.ts";
import { CALLS, callOf, type SentKind } from "../api/pve-calls.ts";
import type { ApiToken } from "../api/pve-token.ts";
import { has, pathOfVm, type RightsByPath, rightsAtPaths } from "../observe/permissions.ts";
import { fine, wrong } from "./examination-check.ts";
import { grantActing } from "./grants.ts";
import { type NoAccess, noAccessAt, noAccessEntry, removal } from "./no-access.ts";

const KINDS = Object.keys(CALLS) as readonly SentKind[];
const PRIVILEGES = [...new Set(KINDS.flatMap((kind) => callOf(kind).privileges))];
const POWER = "VM.PowerMgmt";

export const applyRightsFinding = (
  token: ApiToken,
  wanted: readonly ExaminedVm[],
  rights: RightsByPath,
  entries: readonly NoAccess[],
): ExaminationFinding => {
  const open = wanted.filter(({ isProtected }) => !isProtected);
  const paths = open.map(({ vmid }) => pathOfVm(vmid));
  const lacking = (privilege: string): readonly string[] => paths.filter((path) => !has(rights, path, privilege));
  const missing = PRIVILEGES.filter((privilege) => lacking(privilege).length > 0);
  const check = "apply-rights";
  if (missing.length === 0) return fine(check, "actions-whole");
  const forbidden = KINDS.filter((kind) => callOf(kind).privileges.some((privilege) => missing.includes(privilege)));
  const where = Map.groupBy(missing, (privilege) => lacking(privilege).join());
  const told = Array.from(where.values(), (privileges) =>
    rightsAtPaths(privileges, lacking(privileges[0] ?? ""), paths.length),
  );
  const powerless = open.filter(({ vmid }) => !has(rights, pathOfVm(vmid), POWER));
  const denied = [...new Set(powerless.flatMap(({ vmid }) => noAccessAt(entries, token, vmid)))];
  const grants = powerless
    .filter(({ vmid }) => noAccessAt(entries, token, vmid).length === 0)
    .map(({ vmid }) => pathOfVm(vmid))
    .map((path) => ({ path, privileges: [POWER, ...PRIVILEGES.filter((one) => has(rights, path, one))] }));
  const facts = { actions: forbidden, missing: told };
  const judged = powerless.length > 0 ? wrong : fine;
  const finding =
    denied.length === 0
      ? judged(check, "actions-missing", facts)
      : judged(check, "actions-taken", { ...facts, denied: denied.map(noAccessEntry) });
  const commands = [...denied.map((entry) => removal(entry, token)), ...grantActing(token, grants)];
  return { ...finding, commands };
};
