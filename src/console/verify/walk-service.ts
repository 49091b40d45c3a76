// walkService(): asks a service for its checkpoints and then for every record, page by page, and holds all of it
// against itself, against a key, and against what was shown before.
//
// The size is fixed before the first record is read, so that a ledger that grows meanwhile is verified as it was then.
// Pages are asked for ahead, and taken in their order. Nothing of what the service says of itself is believed: its
// head, its key and its errors are findings where they do not fit. Not here: the thread it runs in (verifier.ts).

import type { FlawSeen } from "../../boundary/contract/seen-flaw.ts";
import type { AnswerBodies } from "../../boundary/contract/typed-answers.ts";
import { type ReadHead, readPath, type Unheard } from "../ask/get.ts";
import type { BytesRead } from "../ask/get-bytes.ts";
import { RECORDS_PAGE, recordsPath } from "../ask/get-bytes.ts";
import {
  type ChainFinding,
  type ChainSeen,
  type ChainWalk,
  chainWalk,
  decodedPage,
  FINDINGS_MAX,
  type RootAt,
} from "./chain-walk.ts";
import { dividePage } from "./divide-records.ts";
import { type CheckSignature, checkNote, type NoteKey, readNoteKey } from "./signed-note.ts";

/** What a walk finds beside the chain itself. */
export type ServiceFinding = { readonly seq: number; readonly unprovenFrom: number } & (
  | { readonly what: "answer-long" | "answer-short" | "shorter-than-shown"; readonly size: number }
  | { readonly bytes: number; readonly what: "answer-torn" }
  | { readonly what: "shown-otherwise" }
  | { readonly refused: unknown; readonly what: "service-refused" }
  | { readonly named: string; readonly pasted: string; readonly what: "key-differs" }
  | { readonly flaw: FlawSeen; readonly note: number; readonly what: "note-unproven" }
  /** The service says that it has `size` checkpoints, and gave `given` of them. */
  | { readonly given: number; readonly size: number; readonly what: "notes-missing" }
);
export type WalkFinding = ChainFinding | ServiceFinding;

export type WalkReport = Omit<ChainSeen, "findings"> & {
  /** Where it ended before its end, because no answer came. */
  readonly brokeOff?: Unheard;
  readonly checkpoints: number;
  readonly findings: readonly WalkFinding[];
  /** Whose checkpoints they are, and who says so. */
  readonly key: { readonly from: "person" | "service"; readonly name: string };
  /** Whether this platform could check signatures at all. */
  readonly signatures: "checked" | "uncheckable";
  /** The records that the service said it has. */
  readonly size: number;
};

export type WalkEnd =
  | { readonly kind: "report"; readonly report: WalkReport }
  | { readonly flaw: FlawSeen; readonly kind: "key-bad" }
  | Unheard;

export type ServiceWalkGiven = {
  readonly ask: (path: string) => Promise<BytesRead | Unheard>;
  readonly check: CheckSignature;
  /** As it was pasted; none where it is empty. */
  readonly key: string;
  readonly onProgress: (records: number, size: number, findings: number) => void;
  /** Waited for behind each page: whoever shares the processor with this walk may come first. */
  readonly pause: () => Promise<void>;
  /** The hashes of records that were shown before, and the most records that a service said it had. */
  readonly shown: { readonly hashes: ReadonlyMap<number, string>; readonly size: number };
};

/** Asked for before the one in hand is done: more would only wait in memory. */
const AHEAD = 2;

type Checkpoints = AnswerBodies["checkpoints"];

const listing = () => {
  const findings: WalkFinding[] = [];
  let count = 0;
  return {
    add: (finding: WalkFinding): void => {
      if (count < FINDINGS_MAX) findings.push(finding);
      count += 1;
    },
    count: () => count,
    findings,
  };
};
type Listing = ReturnType<typeof listing>;

export const walkService = async (given: ServiceWalkGiven): Promise<WalkEnd> => {
  const pasted = given.key === "" ? undefined : readNoteKey(given.key);
  if (pasted?.kind === "bad") return { flaw: pasted.flaw, kind: "key-bad" };
  const first = await askCheckpoints(given, undefined);
  if ("unheard" in first) return first.unheard;
  const { value } = first;
  const named = readNoteKey(value.key);
  if (named.kind === "bad") return { flaw: named.flaw, kind: "key-bad" };
  const key = pasted ?? named;
  const beside = listing();
  if (key.name !== named.name)
    beside.add({ named: named.name, pasted: key.name, seq: 0, unprovenFrom: 0, what: "key-differs" });
  const noted = await readNotes(given, value, key, beside);
  if ("unheard" in noted) return noted.unheard;
  // Asked for last: whatever a checkpoint covered before must be there.
  const head = await askHead(given);
  if ("kind" in head) return head;
  const size = Math.max(head.size, ...noted.roots.map((root) => root.size));
  if (head.size < given.shown.size)
    beside.add({ seq: head.size, size: given.shown.size, unprovenFrom: head.size, what: "shorter-than-shown" });
  const walk = chainWalk(noted.roots);
  const course = await takePages(given, walk, head.size, beside);
  const brokeOff = course === "whole" || course === "broken" ? undefined : course;
  const seen = walk.end(course === "whole");
  if (seen.records === head.size && seen.records > 0 && seen.hash !== head.hash) {
    const facts = { hash: seen.hash, headHash: head.hash };
    const last = head.size - 1;
    beside.add({ cause: "head-differs", facts, seq: last, unprovenFrom: last, what: "broken-link" });
  }
  return {
    kind: "report",
    report: {
      ...seen,
      ...(brokeOff && { brokeOff }),
      checkpoints: noted.count,
      findings: [...beside.findings, ...seen.findings]
        .toSorted((one, other) => one.unprovenFrom - other.unprovenFrom || one.seq - other.seq)
        .slice(0, FINDINGS_MAX),
      findingsCount: seen.findingsCount + beside.count(),
      key: { from: pasted === undefined ? "service" : "person", name: key.name },
      signatures: noted.signatures,
      size,
    },
  };
};

const EMPTY: ReadHead = { hash: "0".repeat(64), size: 0 };

/** A ledger without records has no head to name. */
const askHead = async ({ ask }: ServiceWalkGiven): Promise<ReadHead | Unheard> => {
  const heard = await ask(recordsPath({ from: 0, to: 0 }, 1));
  return heard.kind === "bytes" ? (heard.head ?? EMPTY) : heard;
};

type Asked = { readonly value: Checkpoints } | { readonly unheard: Unheard };

const askCheckpoints = async ({ ask }: ServiceWalkGiven, from: number | undefined): Promise<Asked> => {
  const heard = await ask(readPath("checkpoints", from === undefined ? {} : { from }));
  if (heard.kind !== "bytes") return { unheard: heard };
  try {
    return { value: JSON.parse(new TextDecoder().decode(heard.bytes)) };
  } catch {
    return { unheard: { kind: "lost" } };
  }
};

type Noted = {
  readonly count: number;
  readonly roots: readonly RootAt[];
  readonly signatures: WalkReport["signatures"];
};

/** Every note of the anchor, the newest page first; its root counts once its signature holds. */
const readNotes = async (
  given: ServiceWalkGiven,
  newest: Checkpoints,
  key: NoteKey,
  beside: Listing,
): Promise<Noted | { readonly unheard: Unheard }> => {
  const roots: RootAt[] = [];
  const { anchoredCount: count } = newest;
  let signatures: Noted["signatures"] = "checked";
  let page: Checkpoints = newest;
  let taken = 0;
  for (;;) {
    const { firstNote, signedCheckpoints } = page;
    const notes = await Promise.all(signedCheckpoints.map(({ note }) => checkNote(note, key, given.check)));
    for (const [at, checked] of notes.entries()) {
      if (checked.kind === "signed") roots.push(checked.note);
      else if (checked.kind === "uncheckable") signatures = "uncheckable";
      else beside.add({ flaw: checked.flaw, note: firstNote + at, seq: 0, unprovenFrom: 0, what: "note-unproven" });
    }
    taken += signedCheckpoints.length;
    if (firstNote === 0 || signedCheckpoints.length === 0) break;
    const older = await askCheckpoints(given, Math.max(0, firstNote - signedCheckpoints.length));
    if ("unheard" in older) return older;
    const { firstNote: next, signedCheckpoints: more } = older.value;
    // Each page lies right before the one in hand; what reaches into it is left out, and what leads nowhere ends it.
    if (next >= firstNote) break;
    page = { ...older.value, signedCheckpoints: more.slice(0, firstNote - next) };
  }
  if (taken < count) beside.add({ given: taken, seq: 0, size: count, unprovenFrom: 0, what: "notes-missing" });
  return { count, roots, signatures };
};

/** Takes every page up to a size, or until one is not what was asked for. */
const takePages = async (
  given: ServiceWalkGiven,
  walk: ChainWalk,
  size: number,
  beside: Listing,
): Promise<Unheard | "broken" | "whole"> => {
  const { ask, onProgress, pause, shown } = given;
  const asked: Promise<BytesRead | Unheard>[] = [];
  let from = 0;
  const askAhead = (): void => {
    while (asked.length <= AHEAD && from < size) {
      asked.push(ask(recordsPath({ from, to: size })));
      from += RECORDS_PAGE;
    }
  };
  askAhead();
  for (let heard = await asked.shift(); heard !== undefined; heard = await asked.shift()) {
    if (heard.kind !== "bytes") return heard;
    askAhead();
    const before = walk.records();
    const page = decodedPage(heard.bytes);
    const { refused, torn } = dividePage(page.bytes, (start) => {
      const seq = walk.records();
      const end = walk.takeFrom(page, start);
      if (end >= 0 && (shown.hashes.get(seq) ?? walk.hash()) !== walk.hash())
        beside.add({ seq, unprovenFrom: seq, what: "shown-otherwise" });
      return end;
    });
    const seq = walk.records();
    const came = seq - before;
    const at = { seq, unprovenFrom: seq };
    const due = Math.min(RECORDS_PAGE, size - before);
    if (torn !== undefined) beside.add({ ...at, bytes: torn, what: "answer-torn" });
    else if (refused !== undefined) beside.add({ ...at, refused, what: "service-refused" });
    else if (came !== due) beside.add({ ...at, size, what: came < due ? "answer-short" : "answer-long" });
    onProgress(seq, size, walk.findingsCount() + beside.count());
    if (torn !== undefined || refused !== undefined || came !== due) return "broken";
    await pause();
  }
  return "whole";
};
