// Hours and numbers of applies that a policy allows: read from the records alone, by the platform's own calendar.

import type { PolicyLine, PolicyWindow } from "../../../src/spine/plan/policy.ts";
import { isForOne, sectionOf } from "./agreement.ts";
import { type Check, type Entry, type EntryOf, entriesOf, isGranted, isKind } from "./evidence.ts";

const HOUR_MS = 3_600_000;
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

const isOpen = ({ days, hours }: PolicyWindow, ms: number): boolean => {
  const date = new Date(ms);
  const time = date.toISOString().slice(11, 16);
  const isDay = days === undefined || days.some((day) => day === DAYS[date.getUTCDay()]);
  return isDay && (hours === undefined || hours.some((span) => span.slice(0, 5) <= time && time < span.slice(6)));
};

/** Every intent is claimed and sent within the hours of its policy, and there are no more of them in an hour. */
export const limited: Check = ({ stage }) => {
  const entries = entriesOf(stage).filter(isGranted);
  return entries.flatMap((entry, at) =>
    isKind(entry, "apply") ? objections(entry, entries.slice(0, at)).map((what) => `intent at ${at}: ${what}`) : [],
  );
};

const objections = (apply: EntryOf<"apply">, before: readonly Entry[]): readonly string[] => {
  const lines = sectionOf(before, apply)?.policy?.tighten ?? [];
  return lines
    .filter((line) => isCounted(line, apply, apply, before))
    .flatMap((line) => [...windowObjections(line, apply), ...rateObjections(line, apply, before)]);
};

const handsOf = (apply: EntryOf<"apply">, before: readonly Entry[]) => {
  const plan = before.find(({ record }) => record.auditId === apply.request.of.plan);
  return plan === undefined ? [apply.record.actor] : [plan.record.actor, apply.record.actor];
};

const isCounted = (
  line: PolicyLine,
  one: EntryOf<"apply">,
  { record }: EntryOf<"apply">,
  before: readonly Entry[],
): boolean =>
  one.record.environment === record.environment &&
  (line.action === undefined || line.action === one.request.of.step.action.kind) &&
  isForOne(line, handsOf(one, before));

const windowObjections = ({ only }: PolicyLine, { record, result }: EntryOf<"apply">): readonly string[] => {
  if (only === undefined || result.kind !== "intended") return [];
  const last = Date.parse(result.sendBy) - 1;
  return [
    ...(isOpen(only, Date.parse(record.processTime)) ? [] : ["it was outside of the hours"]),
    ...(isOpen(only, last) ? [] : ["its call could leave after the hours"]),
  ];
};

/** What was stamped ahead of a clock that was accepted since happened at the latest then. */
const happenedMs = ({ record }: Entry, before: readonly Entry[]): number =>
  Math.min(
    Date.parse(record.processTime),
    ...before
      .filter((one) => isKind(one, "accept-clock") && one.record.seq > record.seq)
      .map((one) => Date.parse(one.record.processTime)),
  );

const rateObjections = (line: PolicyLine, apply: EntryOf<"apply">, before: readonly Entry[]): readonly string[] => {
  const { perHour } = line;
  if (perHour === undefined) return [];
  const since = Date.parse(apply.record.processTime) - HOUR_MS;
  const others = before.filter(
    (one) => isKind(one, "apply") && isCounted(line, one, apply, before) && happenedMs(one, before) > since,
  );
  return others.length < perHour ? [] : [`${perHour} an hour are allowed, and there were ${others.length}`];
};
