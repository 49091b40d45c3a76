// Whether the token that observes sees everything that is wanted, and whether it can do no more than observe.

import type { Vmid } from "../../../spine/model.ts";
import { shownText } from "../../../spine/values/shown-text.ts";
import type { ExaminationFinding, ExaminedVm } from "../../examination.ts";
import type { PveReader } from "../api/pve-reader.ts";
import type { ApiToken } from "../api/pve-token.ts";
import { has, pathOfVm, type RightsByPath, rightsAtPaths, rightsOf } from "../observe/permissions.ts";
import { type FactsOf, fine, wrong } from "./examination-check.ts";
import { grantObserving } from "./grants.ts";
import { type NoAccess, noAccessAt, noAccessEntry, possibleRemovals, removal } from "./no-access.ts";

const rightsAt = async (
  reader: PveReader,
  on: "everywhere" | "root" | Vmid,
  signal: AbortSignal,
): Promise<RightsByPath> => {
  const reply = await reader.permissions(on, signal);
  return (reply.kind === "data" ? rightsOf(reply.data) : undefined) ?? new Map();
};

/** The rights on each wanted VM, by its path. */
export const readRightsOn = async (
  reader: PveReader,
  wanted: readonly ExaminedVm[],
  signal: AbortSignal,
): Promise<RightsByPath> => {
  const each = await Promise.all(wanted.map(({ vmid }) => rightsAt(reader, vmid, signal)));
  return new Map(each.flatMap((rights) => [...rights]));
};

export const examineObserveRights = async (
  reader: PveReader,
  token: ApiToken,
  { entries, wanted }: { readonly entries: readonly NoAccess[]; readonly wanted: readonly ExaminedVm[] },
  signal: AbortSignal,
): Promise<ExaminationFinding> => {
  const [root, everywhere, each] = await Promise.all([
    rightsAt(reader, "root", signal),
    rightsAt(reader, "everywhere", signal),
    readRightsOn(reader, wanted, signal),
  ]);
  const top = root.get("/");
  // Below / it shows the tasks of every node.
  const isNodesHidden = top?.get("Sys.Audit") !== true;
  const hidden = wanted.filter(({ vmid }) => !has(each, pathOfVm(vmid), "VM.Audit"));
  const hiddenPaths = hidden.map(({ vmid }) => pathOfVm(vmid));
  const denied = [...new Set(hidden.flatMap(({ vmid }) => noAccessAt(entries, token, vmid)))];
  const missing = [
    ...(isNodesHidden ? ["Sys.Audit@/"] : []),
    ...(hidden.length > 0 ? [rightsAtPaths(["VM.Audit"], hiddenPaths, wanted.length)] : []),
  ];
  const check = "observe-rights";
  if (missing.length > 0) {
    // Where / has it and a VM has not, an entry in between took it away.
    const isTakenAway = top?.get("VM.Audit") === true;
    const free = hidden.filter(({ vmid }) => noAccessAt(entries, token, vmid).length === 0);
    const between = isTakenAway ? free.map(({ vmid }) => pathOfVm(vmid)) : [];
    const isListed = has(everywhere, "/access", "Sys.Audit") || has(everywhere, "/", "Sys.Audit");
    const finding =
      denied.length === 0
        ? wrong(check, "rights-missing", { missing })
        : wrong(check, "rights-taken", { denied: denied.map(noAccessEntry), missing });
    const commands = [
      ...denied.map((entry) => removal(entry, token)),
      ...(isListed ? [] : between.flatMap((path) => possibleRemovals(path, token))),
      ...grantObserving(token, [...(isNodesHidden || (!isTakenAway && free.length > 0) ? ["/"] : []), ...between]),
    ];
    return { ...finding, commands };
  }
  const more = beyondObserving(everywhere);
  return more === undefined ? fine(check, "rights-whole") : wrong(check, "rights-beyond", more);
};

const EXAMPLES_MAX = 3;

/** The first path at which it may do more: how many rights more, and which for example. */
const beyondObserving = (rights: RightsByPath): FactsOf<"rights-beyond"> | undefined => {
  for (const [path, privileges] of rights) {
    const more = [...privileges.keys()].filter((name) => !name.endsWith(".Audit")).sort();
    if (more.length > 0) {
      const examples = more.slice(0, EXAMPLES_MAX).map(shownText);
      return { count: more.length, examples, path: shownText(path) };
    }
  }
  return undefined;
};
