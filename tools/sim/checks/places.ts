// Where somebody may act: nothing is granted in an environment to anybody whose token or invitation gave nothing there.
// Read from the records alone.

import type { Grants } from "../../../src/kernel/command/role-grants.ts";
import { type Check, type Entry, entriesOf, isGranted, isKind } from "./evidence.ts";

/** Whoever comes in, goes, or changes their own token does so wherever they are. */
const ANYWHERE: ReadonlySet<string> = new Set(["sign-in", "sign-out", "token"]);

export const placed: Check = ({ stage }) => {
  const granted = new Map<string, Grants>();
  return entriesOf(stage).flatMap((entry): readonly string[] => {
    const { actor, environment, kind, seq } = entry.record;
    const grants = granted.get(actor.id);
    note(granted, entry);
    if (!isGranted(entry) || grants === undefined || environment === undefined || ANYWHERE.has(kind)) return [];
    const isTheirs = grants.some(({ environments }) => environments === "all" || environments.includes(environment));
    return isTheirs ? [] : [`${kind} at ${seq} was granted in ${environment} to ${actor.id}, who has no role there`];
  });
};

const note = (granted: Map<string, Grants>, entry: Entry): void => {
  if (!isGranted(entry)) return;
  if (isKind(entry, "token") && entry.request.act === "create")
    granted.set(entry.request.subject.id, entry.request.subject.grants);
  if (isKind(entry, "invite")) granted.set(entry.request.subject, entry.request.grants);
};
