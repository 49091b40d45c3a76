// What was observed, as a value that can be hashed: VM states in order, one per vmid, with a digest over all of them.
//
// Two entries for one vmid are a doubt about both, so together they become one unknown. `source` is carried for
// display and is outside every hash, so that a replay and a live observation are the same observation. keeps N4
// Not here: reading current.json (formats/), asking a provider (adapters/).

import type { Blocker, Observation, Observed, Sha256, VmState } from "../model.ts";
import { doubt, inOrderOfKeys, type Stated } from "../observed-codes.ts";
import { canonicalPieces } from "./canonical.ts";
import { sha256, sha256OfPieces } from "./hash.ts";
import { inOrder } from "./in-order.ts";

/** The part of a state that is hashed, keys in alphabetical order; JSON.stringify leaves out what is undefined. */
const hashed = (state: VmState): object => (isUsual(state) ? usual(state) : whole(state));

/** JSON.stringify pays for every undefined member, and nearly every VM of a fleet lacks all of these. */
const isUsual = ({ because, blockers, boot, paused, pending, resize, snapshots }: VmState): boolean =>
  because === undefined &&
  blockers === undefined &&
  boot === undefined &&
  paused === undefined &&
  pending === undefined &&
  resize === undefined &&
  snapshots === undefined;

const usual = ({ cpus, identity, kind, maxmem, name, node, revision, status, tags, vmid }: VmState) => ({
  cpus,
  identity,
  kind,
  maxmem,
  name,
  node,
  revision,
  status,
  tags,
  vmid,
});

const whole = (state: VmState) => ({
  because: state.because && inOrderOfKeys(state.because),
  blockers: state.blockers?.map((blocker: Blocker) => ({ actions: blocker.actions, ...inOrderOfKeys(blocker) })),
  boot: state.boot,
  cpus: state.cpus,
  identity: state.identity,
  kind: state.kind,
  maxmem: state.maxmem,
  name: state.name,
  node: state.node,
  paused: state.paused,
  pending: state.pending && { cpus: state.pending.cpus, maxmem: state.pending.maxmem },
  resize: state.resize,
  revision: state.revision,
  snapshots: state.snapshots && {
    names: state.snapshots.names,
    parent: state.snapshots.parent,
    withRam: state.snapshots.withRam,
  },
  status: state.status,
  tags: state.tags,
  vmid: state.vmid,
});

/**
 * What a step stands on: the same hash at apply means the VM has not moved. What somebody said beside a code is left
 * out, and so is what came between us and the provider: it decides nothing, and may be another the next time. Where the
 * VM is is left out too: one that the provider moved is the same VM.
 */
export const basisOf = (state: VmState): Sha256 => sha256(JSON.stringify(hashed(unplaced(unquoted(state)))));

const unplaced = ({ node: _, ...state }: VmState): VmState => state;

const unquoted = (state: VmState): VmState => {
  const { because, blockers } = state;
  if (!(because !== undefined && isQuoting(because)) && blockers?.some(isQuoting) !== true) return state;
  return {
    ...state,
    ...(because === undefined ? {} : { because: unquotedCode(because) }),
    ...(blockers === undefined ? {} : { blockers: blockers.map(unquotedCode) }),
  };
};

type Beside = Pick<Stated<string>, "diagnostic" | "said">;
const isQuoting = ({ diagnostic, said }: Beside): boolean => diagnostic !== undefined || said !== undefined;
const unquotedCode = <T extends Beside>({ diagnostic: _, said: __, ...rest }: T): Omit<T, keyof Beside> => rest;

const merged = (vms: readonly VmState[]): readonly VmState[] => {
  const groups = new Map<number, VmState[]>();
  for (const state of vms) groups.set(state.vmid, [...(groups.get(state.vmid) ?? []), state]);
  return Array.from(groups.values(), (group) => (group.length === 1 ? (group[0] as VmState) : conflict(group)));
};

/** Chosen by content, never by position, so that shuffled input gives the same state. */
const conflict = (group: readonly VmState[]): VmState => {
  const first = group.toSorted((a, b) => (basisOf(a) < basisOf(b) ? -1 : 1))[0] as VmState;
  const { kind, name, source, vmid } = first;
  return {
    because: doubt("listed-twice", { facts: { times: group.length } }),
    kind,
    name,
    source,
    status: "unknown",
    vmid,
  };
};

/** The canonical text in pieces: the bytes of the observation's blob. */
export function* observationPieces(observation: Observation): Generator<string> {
  const { complete, environment, gaps, observedAt, version, vms } = observation;
  const head = JSON.stringify({ complete, environment, gaps: gaps.map(inOrderOfKeys), observedAt, version });
  yield `${head.slice(0, -1)},"vms":[`;
  yield* canonicalPieces(vms, hashed);
  yield "]}";
}

/** The same observation, states in order and one per vmid; one that names a gap is not complete, whatever it claims. */
export const ordered = (observation: Observation): Observation => {
  const { hasTwins, list } = inOrder(observation.vms);
  const vms = hasTwins ? merged(list) : list;
  const complete = observation.complete && observation.gaps.length === 0;
  const isSame = vms === observation.vms && complete === observation.complete;
  return isSame ? observation : { ...observation, complete, vms };
};

export const observe = (observation: Observation): Observed => {
  const whole = ordered(observation);
  return { digest: sha256OfPieces(observationPieces(whole)), observation: whole };
};
