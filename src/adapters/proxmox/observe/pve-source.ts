// The Proxmox source: one observation of the wanted guests, and of no others. keeps N3
//
// The cluster's list says where a guest is; its own node says how it is. A node that is down or does not answer is
// given up for this observation, so that it delays nobody else. A guest that is not where the list said is searched
// once more, because it may have moved; nothing is asked a second time. Every doubt becomes unknown with its reason,
// N1.

import type { Diagnostic } from "../../../spine/diagnostic-codes.ts";
import type { Instant, Vmid, VmState } from "../../../spine/model.ts";
import { type Doubt, doubt, type Gap, gap } from "../../../spine/observed-codes.ts";
import { present } from "../../../spine/values/present.ts";
import type { ObservationListener } from "../../descriptor.ts";
import type { ClockedObservation, Source, Unanswered } from "../../source.ts";
import { clockedReader } from "../api/clocked-reader.ts";
import { type Gate, gate } from "../api/gate.ts";
import type { GuestRef, NodeName } from "../api/names.ts";
import type { PveReader } from "../api/pve-reader.ts";
import { whyNot } from "../api/pve-reply.ts";
import { findAbsenceGaps } from "./absence.ts";
import { type Cluster, clusterOf } from "./cluster.ts";
import { type GuestSeen, observeGuest } from "./guest-observation.ts";
import { activeOf } from "./task-list.ts";
import { knownOf, unknownState } from "./vm-state.ts";
import { type Whereabouts, type WhereaboutsRow, whereaboutsOf } from "./whereabouts.ts";

export type Progress = NonNullable<ObservationListener["onProgress"]>;

export type SourceOptions = {
  readonly environment: string;
  readonly now: () => Instant;
  readonly onProgress?: Progress;
  /** Told where each guest was seen, for the one who may have to send something there. */
  readonly onSeen: (guest: GuestRef) => void;
  readonly onUnanswered?: Unanswered;
  readonly reader: PveReader;
};

/** How many guests of one node are observed together. */
export const GUESTS_PER_NODE = 4;

type Round = {
  readonly active: Map<string, Promise<ReadonlyMap<Vmid, string>>>; // tasks at work, asked once for each node
  readonly cluster: Cluster;
  readonly gates: Map<string, Gate>;
  readonly given: Map<string, Diagnostic>; // nodes that were given up, and why
  readonly newSnapshot: string | undefined;
  readonly signal: AbortSignal;
  readonly withSnapshots: boolean;
};

export const proxmoxSource = (given: SourceOptions): Source => ({
  observe: async (wanted, signal, details = []) => {
    const { providerTime, reader } = clockedReader(given.reader);
    const options = { ...given, reader };
    const observedAt = options.now();
    const { environment } = options;
    const [list, status] = await Promise.all([reader.resources(signal), reader.clusterStatus(signal)]);
    const where = list.kind === "data" ? whereaboutsOf(list.data) : unreadable(whyNot(list));
    const whole = (gaps: readonly Gap[], vms: readonly VmState[]): ClockedObservation => {
      const clock = providerTime();
      return {
        complete: gaps.length === 0,
        environment,
        gaps,
        observedAt,
        ...(clock === undefined ? {} : { providerTime: clock }),
        version: 1,
        vms: vms.toSorted((a, b) => a.vmid - b.vmid),
      };
    };
    if (where.kind === "unreadable") {
      const unseen = gap("list-not-seen", { diagnostic: where.why });
      options.onUnanswered?.(unseen);
      return whole([unseen], []);
    }
    const cluster = clusterOf(status);
    const round: Round = {
      active: new Map(),
      cluster,
      gates: new Map(),
      given: new Map(),
      newSnapshot: details.find((detail) => typeof detail === "object")?.newSnapshot,
      signal,
      withSnapshots: details.includes("snapshots"),
    };
    const found = await observeWanted(options, [...new Set(wanted.map(({ vmid }) => vmid))], where, round);
    const gaps = await findAbsenceGaps(reader, found.absent, found.unread, cluster, signal);
    return whole(gaps, found.states);
  },
});

const unreadable = (why: Diagnostic): Whereabouts => ({ kind: "unreadable", why });

type List = Extract<Whereabouts, { readonly kind: "list" }>;
type Found = { readonly absent: readonly Vmid[]; readonly states: readonly VmState[]; readonly unread: number };

const observeWanted = async (
  options: SourceOptions,
  wanted: readonly Vmid[],
  where: List,
  round: Round,
): Promise<Found> => {
  let done = 0;
  const each = await Promise.all(
    wanted.map(async (vmid) => {
      const seen = await observeOne(options, where.rows.get(vmid), vmid, round);
      done += 1;
      options.onProgress?.({ observed: done, wanted: wanted.length });
      return { seen, vmid };
    }),
  );
  const gone = each.filter(({ seen }) => seen.kind === "gone").map(({ vmid }) => vmid);
  const again = gone.length === 0 ? NONE : await observeAgain(options, gone, where, round);
  return {
    absent: [...each.filter(({ seen }) => seen.kind === "absent").map(({ vmid }) => vmid), ...again.absent],
    states: [...each.flatMap(({ seen }) => (seen.kind === "state" ? [seen.state] : [])), ...again.states],
    unread: where.unread + again.unread,
  };
};

const NONE: Found = { absent: [], states: [], unread: 0 };

/** The list once more, for guests that were not where it said. Where it says the same, they stay unknown. */
const observeAgain = async (
  options: SourceOptions,
  gone: readonly Vmid[],
  before: List,
  round: Round,
): Promise<Found> => {
  const list = await options.reader.resources(round.signal);
  const where = list.kind === "data" ? whereaboutsOf(list.data) : unreadable(whyNot(list));
  const all = await Promise.all(
    gone.map(async (vmid): Promise<{ readonly seen: OneSeen; readonly vmid: Vmid }> => {
      const was = before.rows.get(vmid);
      const row = where.kind === "list" ? where.rows.get(vmid) : was;
      if (nodeOf(row) === nodeOf(was)) return { seen: lostAt(was, vmid), vmid };
      const seen = await observeOne(options, row, vmid, round);
      return { seen: seen.kind === "gone" ? lostAt(row, vmid) : seen, vmid };
    }),
  );
  return {
    absent: all.filter(({ seen }) => seen.kind === "absent").map(({ vmid }) => vmid),
    states: all.flatMap(({ seen }) => (seen.kind === "state" ? [seen.state] : [])),
    unread: where.kind === "list" ? where.unread : 0,
  };
};

const nodeOf = (row: WhereaboutsRow | undefined): string | undefined =>
  row?.kind === "at" ? row.guest.node : undefined;

const lostAt = (row: WhereaboutsRow | undefined, vmid: Vmid): OneSeen => ({
  kind: "state",
  state: unknownState(vmid, doubt("not-at-node", { facts: { node: nodeOf(row) ?? "?" } })),
});

type OneSeen = Exclude<GuestSeen, { readonly kind: "no-answer" }> | { readonly kind: "absent" };

const observeOne = async (
  { onSeen, reader }: SourceOptions,
  row: WhereaboutsRow | undefined,
  vmid: Vmid,
  round: Round,
): Promise<OneSeen> => {
  const { cluster, gates, given, newSnapshot, signal, withSnapshots } = round;
  if (row === undefined) return { kind: "absent" };
  if (row.kind === "doubtful") return { kind: "state", state: unknownState(vmid, row.because) };
  const { guest, lastReport, name } = row;
  const unknown = (because: Doubt): OneSeen => ({
    kind: "state",
    state: unknownState(vmid, because, knownOf(guest, name)),
  });
  if (cluster.offline.has(guest.node)) {
    return unknown(doubt("node-offline", { facts: { lastReport, node: guest.node } }));
  }
  const pass = gates.get(guest.node) ?? gate(GUESTS_PER_NODE);
  gates.set(guest.node, pass);
  return pass(async () => {
    const seen = given.has(guest.node)
      ? undefined
      : await observeGuest(
          reader,
          guest,
          { atWork: tasksAtWork(reader, guest.node, round), name, newSnapshot, quorum: cluster.quorum, withSnapshots },
          signal,
        );
    if (seen?.kind === "no-answer") given.set(guest.node, seen.why);
    if (seen === undefined || seen.kind === "no-answer") {
      const facts = { lastReport, node: guest.node };
      return unknown(doubt("node-silent", { ...present({ diagnostic: given.get(guest.node) }), facts }));
    }
    if (seen.kind === "state") onSeen(guest);
    return seen;
  });
};

const tasksAtWork = (
  reader: PveReader,
  node: NodeName,
  { active, signal }: Round,
): Promise<ReadonlyMap<Vmid, string>> => {
  const asked =
    active.get(node) ??
    reader.activeTasks(node, signal).then((reply) => activeOf(reply.kind === "data" ? reply.data : undefined));
  active.set(node, asked);
  return asked;
};
