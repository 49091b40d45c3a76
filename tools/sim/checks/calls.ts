// Every call at the place stands on an intent that was durable before it left, and left once, in time, unfrozen, for an
// intent that had no outcome yet. Judged by the world's journal and by when things happened, never by what was said.

import type { Arrived } from "../../../src/simulator/world/journal.ts";
import { interruptionsByCalls } from "../../../src/simulator/world/journal.ts";
import { nameIn, tagsIn } from "../../../src/simulator/world/settings.ts";
import { msOf } from "../../../src/spine/values/instant.ts";
import { DESIRED } from "../registrations.ts";
import type { Left } from "../trace.ts";
import { isFrozen } from "./agreement.ts";
import { type Check, type EntryOf, entriesOf, intentsIn, isGranted, isKind, type Scene } from "./evidence.ts";

const callsIn = ({ provider }: Scene): readonly Arrived[] =>
  provider.world().journal.filter((entry): entry is Arrived => entry.kind === "call" && entry.mark !== undefined);

const repeated = (texts: readonly string[]): readonly string[] => [
  ...new Set(texts.filter((text, at) => texts.indexOf(text) !== at)),
];

export const once: Check = ({ stage }) => {
  const steps = intentsIn(stage).map(({ request: { of } }) => `step ${of.index} of plan ${of.plan}`);
  const called = callsIn(stage).map(({ mark }) => `intent ${mark?.intent}`);
  const left = stage.traces.flatMap(({ lefts }) => lefts.map(({ intent }) => `intent ${intent}`));
  return [
    ...repeated(steps).map((step) => `${step} was claimed twice`),
    ...repeated(called).map((intent) => `${intent} was called twice`),
    ...repeated(left).map((intent) => `the call of ${intent} left twice`),
  ];
};

const leftsIn = ({ traces }: Scene): readonly Left[] => traces.flatMap(({ lefts }) => lefts);

type Sent = { readonly intent: EntryOf<"apply">; readonly left: Left };
const sentIn = (stage: Scene): readonly Sent[] =>
  leftsIn(stage).flatMap((left) => {
    const intent = intentsIn(stage).find(({ record }) => record.auditId === left.intent);
    return intent === undefined ? [] : [{ intent, left }];
  });

export const durable: Check = ({ stage }) => {
  const sent = leftsIn(stage);
  const known = new Map(intentsIn(stage).map(({ record }) => [record.auditId as string, record.seq]));
  return [
    ...callsIn(stage)
      .filter(({ mark }) => !sent.some(({ intent }) => intent === mark?.intent))
      .map(({ no }) => `call ${no} was sent by nobody`),
    ...sent
      .filter(({ intent, size }) => (known.get(intent) ?? Number.POSITIVE_INFINITY) >= size)
      .map(({ intent }) => `a call left before its intent ${intent} was durable`),
  ];
};

/** A ledger that fits its anchor knows every call that ever left, whatever else was lost of it. */
export const remembered: Check = ({ stage }) => {
  const known = new Set<string>(intentsIn(stage).map(({ record }) => record.auditId));
  return leftsIn(stage)
    .filter(({ intent }) => !known.has(intent))
    .map(({ intent }) => `a call left for ${intent}, and the ledger does not know it`);
};

/** Counted in true time from when the intent became durable, which is later than when its process began to count. */
export const inTime: Check = ({ stage }) =>
  sentIn(stage)
    .filter(({ intent, left }) => {
      const { processTime, seq } = intent.record;
      const { sendBy } = intent.result as { readonly sendBy: typeof processTime };
      return left.atMs - (stage.ledger.landedMs[seq] ?? 0) >= msOf(sendBy) - msOf(processTime);
    })
    .map(({ left }) => `the call of ${left.intent} left after its deadline`);

/** What was durable when the second observation came back could be known before the call. */
export const notFrozen: Check = ({ stage }) =>
  sentIn(stage)
    .filter(({ intent, left }) => {
      if (left.sizeAtLook === undefined) return false;
      const granted = entriesOf(stage).filter(isGranted);
      const since = granted.filter(({ record }) => record.seq >= (left.sizeAtLook ?? 0) && record.seq < left.size);
      const before = granted.filter(({ record }) => record.seq < (left.sizeAtLook ?? 0));
      return isFrozen(before, intent.record.environment) && !since.some((entry) => isKind(entry, "unfreeze"));
    })
    .map(({ left }) => `the call of ${left.intent} left while it was frozen`);

export const notOver: Check = ({ stage }) =>
  sentIn(stage)
    .filter(({ left }) =>
      entriesOf(stage).some(
        (entry) =>
          (isKind(entry, "outcome") || isKind(entry, "recover")) &&
          isGranted(entry) &&
          entry.request.intent === left.intent &&
          entry.record.seq < (left.sizeAtLook ?? 0),
      ),
    )
    .map(({ left }) => `the call of ${left.intent} left after its outcome was recorded`);

/** What is lost between the last question and the call cannot be known; what was lost before can. */
export const owned: Check = ({ stage }) =>
  leftsIn(stage)
    .filter(({ wasOwner }) => !wasOwner)
    .map(({ intent }) => `the call of ${intent} left after its process had lost its lock`);

export const observedAgain: Check = ({ stage }) =>
  leftsIn(stage)
    .filter(({ seen }) => seen === undefined)
    .map(({ intent }) => `the call of ${intent} left without a second observation`);

const isProductionWord = (name: string): boolean => name.toLowerCase().startsWith("prod-");

/** A VM that becomes production between the last look and the call cannot be known; one that was seen to be can. */
export const unprotected: Check = ({ stage }) =>
  interruptionsByCalls(stage.provider.world().journal).flatMap(({ cause, vmid }) => {
    const mark = cause.kind === "call" ? cause.mark : undefined;
    const seen = leftsIn(stage)
      .find(({ intent }) => intent === mark?.intent)
      ?.seen?.guests.get(vmid);
    const entry = DESIRED.find((one) => one.vmid === vmid);
    const settings = seen?.file.settings ?? new Map<string, string>();
    const isProtected =
      entry?.protected === true ||
      isProductionWord(entry?.name ?? "") ||
      isProductionWord(nameIn(settings, "vm", vmid)) ||
      tagsIn(settings).some((tag) => tag.toLowerCase() === "prod");
    return isProtected ? [`VM ${vmid} is protected and was interrupted by ${mark?.intent}`] : [];
  });
