// The words of a scenario: what is wanted, what was seen, what is asked. A later word about the same VM replaces an
// earlier one, so that a story can go on.
//
//   want VMID NAME running|stopped [shutdown|power-off] [cpus N] [memory 2GiB] [identity X] [protected]
//   request VMID NAME ACTION [parameters]                 no file holds a request
//   see VMID NAME running|stopped|paused [cpus N] [memory 2GiB] [pending-cpus N] [pending-memory 2GiB] [hot] [tag T]
//       [identity X] [snapshots A,B] [ram A,B|none] [blocked ACTION|all CODE FACT…]
//   see VMID NAME unknown CODE FACT…        see VMID NAME unknown stated BECAUSE...
//   gone VMID      incomplete [GAP...]      complete      observed-in ENVIRONMENT      only 101,102      only all
//   plan           explain VMID

import assert from "node:assert/strict";
import type { Action, Blocker, DesiredEntry, DesiredVm, Facts, Scope, Vmid, VmState } from "../src/spine/model.ts";
import {
  BLOCKERS,
  type BlockerCode,
  DOUBTS,
  type Doubt,
  type DoubtCode,
  type Gap,
  gap,
} from "../src/spine/observed-codes.ts";
import { entryHash } from "../src/spine/plan/desired-state.ts";
import { isActionKind } from "../src/spine/rules/actions.ts";
import { ENVIRONMENT, GiB, observationOf, vmidOf, type World } from "./spine/world.ts";

export type Scene = {
  readonly desired: ReadonlyMap<Vmid, DesiredEntry>;
  readonly seen: ReadonlyMap<Vmid, VmState>;
  readonly complete: boolean;
  readonly gaps: readonly Gap[];
  readonly observedIn: string;
  readonly scope: Scope;
};
export type Query = { readonly kind: "plan" } | { readonly kind: "explain"; readonly vmid: Vmid };

export const EMPTY: Scene = {
  complete: true,
  gaps: [],
  observedIn: ENVIRONMENT,
  scope: "all",
  seen: new Map(),
  desired: new Map(),
};

export const worldOf = ({
  complete,
  gaps,
  observedIn,
  scope,
  seen,
  desired,
}: Scene): Required<Omit<World, "identities" | "numbers" | "policy">> => ({
  environment: ENVIRONMENT,
  observation: observationOf([...seen.values()], { complete, environment: observedIn, gaps }),
  scope,
  entries: [...desired.values()],
});

/** desired.yaml has no word for a request. */
export const hasRequest = ({ desired }: Scene): boolean => [...desired.values()].some(({ kind }) => kind === "request");

type Words = { readonly next: () => string; readonly take: () => string | undefined; readonly rest: () => string };

const wordsOf = (line: string): Words => {
  const words = Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([word, quoted]) => quoted ?? word);
  const take = () => words.shift();
  const next = () => {
    const word = take();
    assert.ok(word !== undefined, `a word is missing: ${line}`);
    return word;
  };
  return { next, rest: () => words.splice(0).join(" "), take };
};

export const queryOf = (line: string): Query | undefined => {
  const words = wordsOf(line);
  const verb = words.next();
  if (verb === "plan") return { kind: "plan" };
  return verb === "explain" ? { kind: "explain", vmid: vmidOf(Number(words.next())) } : undefined;
};

export const told = (scene: Scene, line: string): Scene => {
  const words = wordsOf(line);
  const verb = words.next();
  const tell = VERBS[verb];
  assert.ok(tell !== undefined, `there is no command ${verb}`);
  const after = tell(scene, words);
  assert.equal(words.rest(), "", `too many words: ${line}`);
  return after;
};

const withEntry = (scene: Scene, entry: DesiredEntry): Scene => ({
  ...scene,
  desired: new Map([...scene.desired, [entry.vmid, entry]]),
});
const withState = (scene: Scene, state: VmState): Scene => ({
  ...scene,
  seen: new Map([...scene.seen, [state.vmid, state]]),
});

const UNITS: Readonly<Record<string, number>> = { B: 1, GiB, MiB: 2 ** 20 };
const bytesOf = (word: string): number => {
  const [, count, unit] = /^([0-9]+)([A-Za-z]+)$/.exec(word) ?? [];
  assert.ok(count !== undefined && unit !== undefined && UNITS[unit] !== undefined, `${word} is no size`);
  return Number(count) * UNITS[unit];
};

const VERBS: Readonly<Record<string, (scene: Scene, words: Words) => Scene>> = {
  complete: (scene) => ({ ...scene, complete: true, gaps: [] }),
  gone: (scene, { next }) => {
    const vmid = vmidOf(Number(next()));
    return { ...scene, seen: new Map([...scene.seen].filter(([id]) => id !== vmid)) };
  },
  incomplete: (scene, { rest }) => {
    const said = rest();
    return { ...scene, complete: false, gaps: said === "" ? [] : [...scene.gaps, gap("stated", { said })] };
  },
  "observed-in": (scene, { next }) => ({ ...scene, observedIn: next() }),
  only: (scene, { next }) => {
    const word = next();
    return { ...scene, scope: word === "all" ? word : word.split(",").map((one) => vmidOf(Number(one))) };
  },
  request: (scene, words) => {
    const [vmid, name] = [vmidOf(Number(words.next())), words.next()];
    const entry = entryHash({ kind: "desired", name, target: "running", vmid });
    return withEntry(scene, { action: actionFrom(words), entry, kind: "request", name, vmid });
  },
  see: (scene, words) => withState(scene, stateFrom(words)),
  want: (scene, words) => withEntry(scene, desiredFrom(words)),
};

const desiredFrom = (words: Words): DesiredVm => {
  const head = { kind: "desired", vmid: vmidOf(Number(words.next())), name: words.next() } as const;
  const aim = aimFrom(words);
  const more: { cpus?: number; identity?: string; memory?: number; protected?: true } = {};
  for (let word = words.take(); word !== undefined; word = words.take()) {
    if (word === "cpus") more.cpus = Number(words.next());
    else if (word === "memory") more.memory = bytesOf(words.next());
    else if (word === "identity") more.identity = words.next();
    else if (word === "protected") more.protected = true;
    else assert.fail(`want does not know ${word}`);
  }
  return { ...head, ...more, ...aim };
};

const aimFrom = (words: Words) => {
  const target = words.next();
  if (target === "running") return { target } as const;
  assert.equal(target, "stopped");
  const stop = words.next();
  assert.ok(stop === "shutdown" || stop === "power-off", `${stop} is no way to stop`);
  return { stop, target } as const;
};

const stateFrom = (words: Words): VmState => {
  const [vmid, name, word] = [vmidOf(Number(words.next())), words.next(), words.next()];
  const head = { kind: "vm", name, source: "scenario", vmid } as const;
  if (word === "unknown") return { ...head, because: doubtFrom(words), status: word };
  assert.ok(word === "running" || word === "stopped" || word === "paused", `${word} is no status`);
  const is: Pick<VmState, "paused" | "status"> =
    word === "paused" ? { paused: true, status: "running" } : { status: word };
  return { ...head, ...is, ...detailsFrom(words) };
};

const detailsFrom = (words: Words): Partial<VmState> => {
  const more: { -readonly [K in keyof VmState]?: VmState[K] } = {};
  const blockers: Blocker[] = [];
  for (let word = words.take(); word !== undefined; word = words.take()) {
    if (word === "cpus") more.cpus = Number(words.next());
    else if (word === "memory") more.maxmem = bytesOf(words.next());
    else if (word === "pending-cpus") more.pending = { ...more.pending, cpus: Number(words.next()) };
    else if (word === "pending-memory") more.pending = { ...more.pending, maxmem: bytesOf(words.next()) };
    else if (word === "hot") more.resize = "hot";
    else if (word === "snapshots") more.snapshots = { names: words.next().split(",") };
    else if (word === "ram") more.snapshots = { names: more.snapshots?.names ?? [], withRam: namesFrom(words) };
    else if (word === "tag") more.tags = [...(more.tags ?? []), words.next()];
    else if (word === "identity") more.identity = words.next();
    else if (word === "blocked") blockers.push(blockerFrom(words));
    else assert.fail(`see does not know ${word}`);
  }
  return blockers.length === 0 ? more : { ...more, blockers };
};

const namesFrom = (words: Words): readonly string[] => {
  const names = words.next();
  return names === "none" ? [] : names.split(",");
};

const isDoubtCode = (word: string): word is DoubtCode => Object.hasOwn(DOUBTS, word);

const doubtFrom = (words: Words): Doubt => {
  const code = words.next();
  assert.ok(isDoubtCode(code), `${code} is no doubt`);
  return code === "stated" ? { code, said: words.rest() } : { code, ...factsFrom(DOUBTS[code], words) };
};

/** As many words as the code has facts, in their order. */
const factsFrom = (names: readonly string[], words: Words): { readonly facts?: Facts } =>
  names.length === 0 ? {} : { facts: Object.fromEntries(names.map((name) => [name, words.next()])) };

const isBlockerCode = (word: string): word is BlockerCode => Object.hasOwn(BLOCKERS, word);

const blockerFrom = (words: Words): Blocker => {
  const what = words.next();
  assert.ok(what === "all" || isActionKind(what), `${what} is no action`);
  const code = words.next();
  assert.ok(isBlockerCode(code), `${code} is no blocker`);
  return { actions: what === "all" ? what : [what], code, ...factsFrom(BLOCKERS[code], words) };
};

const actionFrom = (words: Words): Action => {
  const kind = words.next();
  assert.ok(isActionKind(kind), `${kind} is no action`);
  switch (kind) {
    case "vm.resize": {
      const size = words.next();
      return size === "cpus" ? { cpus: Number(words.next()), kind } : { kind, memory: bytesOf(words.next()) };
    }
    case "vm.snapshot.create":
    case "vm.snapshot.rollback":
    case "vm.snapshot.delete":
      return { kind, snapshot: words.next() };
    case "vm.clone":
      return { kind, to: vmidOf(Number(words.next())), name: words.next() };
    case "vm.migrate":
      return { kind, node: words.next() };
    default:
      return { kind };
  }
};
