// What replay says of the values behind a record: which one is missing, for each request that names one, and what a
// body that nobody can decide comes to. Every difference is asserted whole. Keeps G3, G5.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startRequest } from "../../src/kernel/command/program.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { type Replayed, replay } from "../../src/kernel/replay-ledger.ts";
import { get } from "../../src/kernel/state/persistent-map.ts";
import type { Actor, LedgerRecord } from "../../src/ledger/record/record.ts";
import type { Sha256 } from "../../src/spine/model.ts";
import type { Json } from "../../src/spine/values/canonical.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { later } from "../../src/spine/values/instant.ts";
import { observe } from "../../src/spine/values/observation.ts";
import { observationOf, VMID, vmidOf, state as vmState } from "../spine/world.ts";
import { again } from "./day.ts";
import {
  apply,
  codesOf,
  configOf,
  ENDS,
  lastId,
  looked,
  planned,
  remembered,
  type Story,
  story,
  tokenRequest,
} from "./story.ts";

const PROBE: Actor = { id: "probe", kind: "agent", roles: ["sensor"] };
const SETTLE_MS = 10 * 60_000;
const lastOf = ({ records }: Story): LedgerRecord => records.at(-1) ?? assert.fail("there is a record");

/** More values than replay keeps at once, so that the next one is read from its blob again. */
const readOthers = (told: Story): void => {
  for (let count = 1; count <= 9; count += 1) {
    looked(told, observationOf([vmState({ status: "stopped" })], { environment: "away", observedAt: told.now() }));
    told.pass(1_000);
  }
};

/** A replay from blobs of which one can be read so many times, and not again. */
const withBlobUntil = (told: Story, digest: Sha256, reads: number): Promise<Replayed> => {
  let asked = 0;
  return replay([told.records], async (wanted) => {
    if (wanted === digest) asked += 1;
    return wanted === digest && asked > reads ? undefined : told.blobs.get(wanted);
  });
};

const missingAt = (digest: Sha256, { seq }: LedgerRecord): Replayed => ({
  difference: { cause: "blob-missing", facts: { digest } },
  kind: "differs",
  seq,
});

/** Planned, and planned again long after: on values that must be read from their blobs again. */
const plannedLater = (): { readonly told: Story; readonly desired: Sha256; readonly observation: Sha256 } => {
  const told = story();
  planned(told);
  const shown = observationOf([vmState({ status: "stopped" })], { observedAt: told.now() });
  const id = looked(told, shown);
  readOthers(told);
  const text = told.blobs.get(get(told.state().desired, "home")?.digest ?? assert.fail("it is registered"));
  const desired = {
    ...JSON.parse(text ?? assert.fail("it is a blob")),
    digest: get(told.state().desired, "home")?.digest,
  };
  told.ask(
    { kind: "plan", observation: id, scope: "all" },
    { given: { desired, observation: shown, ...remembered(told) } },
  );
  return { desired: desired.digest, observation: observe(shown).digest, told };
};

test("a plan names the one of its values that is missing, and is made again where both are there", async () => {
  const { desired, observation, told } = plannedLater();
  assert.equal((await again(told)).kind, "equal");
  const plan = lastOf(told);
  assert.deepEqual(await withBlobUntil(told, desired, 1), missingAt(desired, plan));
  assert.deepEqual(await withBlobUntil(told, observation, 1), missingAt(observation, plan));
});

test("an end of an unknown outcome names the observation that is missing", async () => {
  const told = story();
  apply(told, planned(told).of);
  const intent = lastId(told);
  told.ask({ ...ENDS.unknown, intent, kind: "outcome" }, { by: KERNEL_ACTOR });
  told.pass(SETTLE_MS + 1);
  const shown = observationOf([vmState()], { observedAt: told.now() });
  const id = looked(told, shown);
  readOthers(told);
  told.ask({ intent, kind: "reconcile", observation: id }, { given: { observation: shown } });
  assert.equal((await again(told)).kind, "equal");
  const { digest } = observe(shown);
  assert.deepEqual(await withBlobUntil(told, digest, 1), missingAt(digest, lastOf(told)));
});

const withIdentity = (told: Story, identity: string) =>
  observationOf([vmState({ identity, status: "stopped" })], { observedAt: told.now() });

/** The VM of 101 was seen, then another one under its number, and that one is accepted. */
const accepted = (): { readonly told: Story; readonly observation: Sha256; readonly first: Sha256 } => {
  const told = story();
  looked(told, withIdentity(told, "one"));
  const first = get(told.state().identities, "home") ?? assert.fail("something is remembered");
  const shown = withIdentity(told, "another");
  const id = looked(told, shown);
  readOthers(told);
  const result = told.ask(
    { identity: "another", kind: "accept-identity", observation: id, reason: "rebuilt", vmid: VMID },
    { given: { observation: shown, ...remembered(told) } },
  );
  assert.equal(result.kind, "identity-accepted", JSON.stringify(result));
  return { first, observation: observe(shown).digest, told };
};

test("an accepted identity names its observation where that is missing, and what was remembered where that is", async () => {
  const { first, observation, told } = accepted();
  assert.equal((await again(told)).kind, "equal");
  assert.deepEqual(await withBlobUntil(told, observation, 1), missingAt(observation, lastOf(told)));
  assert.deepEqual(await withBlobUntil(told, first, 1), missingAt(first, lastOf(told)));
});

test("an observation names what was remembered where that is missing", async () => {
  const told = story();
  looked(told, withIdentity(told, "one"));
  const digest = get(told.state().identities, "home") ?? assert.fail("something is remembered");
  looked(told, withIdentity(told, "one"));
  const second = lastOf(told);
  readOthers(told);
  planned(told, { vms: [vmState({ identity: "one", status: "stopped" })] });
  assert.equal((await again(told)).kind, "equal");
  assert.deepEqual(await withBlobUntil(told, digest, 0), missingAt(digest, second));
  const observes = told.records.findLast(({ kind }) => kind === "observe") ?? assert.fail("it was observed");
  assert.deepEqual(await withBlobUntil(told, digest, 1), missingAt(digest, observes));
});

test("a plan names what was remembered where only that can be read no more", async () => {
  const told = story();
  const seen = withIdentity(told, "one");
  const id = looked(told, seen);
  planned(told, { vms: [vmState({ identity: "one", status: "stopped" })] });
  const digest = get(told.state().identities, "home") ?? assert.fail("something is remembered");
  const registration = get(told.state().desired, "home") ?? assert.fail("it is registered");
  readOthers(told);
  const desired = { ...JSON.parse(told.blobs.get(registration.digest) ?? ""), digest: registration.digest };
  told.ask(
    { kind: "plan", observation: id, scope: [vmidOf(101)] },
    { given: { desired, observation: seen, ...remembered(told) } },
  );
  assert.equal((await again(told)).kind, "equal");
  assert.deepEqual(await withBlobUntil(told, digest, 1), missingAt(digest, lastOf(told)));
});

test("what was refused over what is remembered is refused again, though what is remembered is at hand", async () => {
  const told = story();
  looked(told, withIdentity(told, "one"));
  const shown = withIdentity(told, "one");
  const { digest, observation } = observe(shown);
  const { complete, gaps, observedAt, vms } = observation;
  const seen = { complete, gaps: gaps.length, observation: digest, providerTime: told.now(), vms: vms.length };
  const refused = told.ask(
    { ...seen, kind: "observe", ...(observedAt === undefined ? {} : { observedAt }) },
    { given: { observation: shown } },
  );
  assert.deepEqual(codesOf(refused), ["identities-moved"]);
  assert.equal((await again(told)).kind, "equal");
});

test("a refusal without any reason is no word on what was remembered: the observation is made again with it", async () => {
  const told = story();
  looked(told, withIdentity(told, "one"));
  looked(told, withIdentity(told, "one"));
  const last = lastOf(told);
  const retold = { ...last, body: { ...last.body, result: { kind: "refused", refusals: [] } } };
  assert.deepEqual(await again(told, [...told.records.slice(0, -1), retold]), {
    difference: { cause: "result", facts: { found: "refused", made: "observed" } },
    kind: "differs",
    seq: last.seq,
  });
});

const unfitAt = (seq: number): Replayed => ({
  difference: { cause: "request-unfit", facts: {} },
  kind: "differs",
  seq,
});

test("a request that nobody can decide is unfit: of another shape, of rules that never were, of a blob that is no JSON", async () => {
  const told = story();
  looked(told, observationOf([vmState()], { observedAt: told.now() }));
  const [first, ...rest] = told.records;
  assert.ok(first !== undefined);
  const started = (request: object): LedgerRecord => ({
    ...first,
    body: { ...first.body, request: { ...(first.body["request"] as object), ...request } },
  });
  assert.deepEqual(await again(told, [started({ rules: 0 }), ...rest]), unfitAt(0));
  const { seq } = lastOf(told);
  const { blobs: _, ...last } = lastOf(told);
  const shapeless = { ...last, body: { door: "local", request: {}, result: { kind: "done" } }, kind: "apply" };
  assert.deepEqual(await again(told, [...told.records.slice(0, -1), shapeless]), unfitAt(seq));
  const torn = await replay([told.records], async (digest) =>
    lastOf(told).blobs?.includes(digest) === true ? "{" : told.blobs.get(digest),
  );
  assert.deepEqual(torn, unfitAt(seq));
});

test("a result that says nothing is shown as none", async () => {
  const told = story();
  const [first, ...rest] = told.records;
  assert.ok(first !== undefined);
  const result = await again(told, [{ ...first, body: { ...first.body, result: {} } }, ...rest]);
  assert.deepEqual(result, {
    difference: { cause: "result", facts: { found: "none", made: "done" } },
    kind: "differs",
    seq: 0,
  });
});

/** The last record with another piece in its result. */
const retoldResult = (
  told: Story,
  change: (result: Readonly<Record<string, unknown>>) => object,
): readonly LedgerRecord[] => {
  const last = lastOf(told);
  const result = change(last.body["result"] as Readonly<Record<string, unknown>>) as { readonly [key: string]: Json };
  return [...told.records.slice(0, -1), { ...last, body: { ...last.body, result } }];
};

test("a list is not an object, a longer one is another, and the order of members is none", async () => {
  const told = story();
  apply(told, planned(told).of);
  const { approvedBy, kind } = lastOf(told).body["result"] as { readonly approvedBy?: unknown; readonly kind: string };
  assert.deepEqual([kind, approvedBy], ["intended", []]);
  const differs = {
    difference: { cause: "result", facts: { found: "intended", made: "intended" } },
    kind: "differs",
    seq: lastOf(told).seq,
  };
  for (const other of [{}, ["bob"], null, ""]) {
    assert.deepEqual(
      await again(
        told,
        retoldResult(told, (result) => ({ ...result, approvedBy: other })),
      ),
      differs,
    );
  }
  const turned = retoldResult(told, (result) => Object.fromEntries(Object.entries(result).reverse()));
  assert.equal((await again(told, turned)).kind, "equal");
  const renamed = retoldResult(told, ({ sendBy, ...result }) => ({ ...result, sentBy: sendBy }));
  assert.deepEqual(await again(told, renamed), differs);
  const shorter = retoldResult(told, ({ sendBy: _, ...result }) => result);
  assert.deepEqual(await again(told, shorter), differs);
  const longer = retoldResult(told, (result) => ({ ...result, more: 1 }));
  assert.deepEqual(await again(told, longer), differs);
});

test("what is pushed and what ends an unknown outcome are decided again without what is remembered", async () => {
  const pushed = story();
  const seen = withIdentity(pushed, "one");
  looked(pushed, seen);
  pushed.ask(tokenRequest(pushed, { id: PROBE.id, kind: "agent", roles: ["sensor"] }));
  const { observedAt = assert.fail("it has a time") } = seen;
  const said = { complete: true, gaps: 0, observation: observe(seen).digest, observedAt, vms: 1 } as const;
  const asking = { by: PROBE, door: "service", given: { observation: seen } } as const;
  assert.equal(pushed.ask({ ...said, kind: "ingest" }, asking).kind, "done");
  const unread = get(pushed.state().identities, "home") ?? assert.fail("something is remembered");
  assert.equal((await withBlobUntil(pushed, unread, 0)).kind, "equal");

  const told = story();
  looked(told, withIdentity(told, "one"));
  apply(told, planned(told, { vms: [vmState({ identity: "one", status: "stopped" })] }).of);
  const intent = lastId(told);
  told.ask({ ...ENDS.unknown, intent, kind: "outcome" }, { by: KERNEL_ACTOR });
  told.pass(SETTLE_MS + 1);
  const shown = withIdentity(told, "one");
  const id = looked(told, shown);
  readOthers(told);
  assert.equal(
    told.ask({ intent, kind: "reconcile", observation: id }, { given: { observation: shown } }).kind,
    "done",
  );
  const digest = get(told.state().identities, "home") ?? assert.fail("something is remembered");
  assert.equal((await withBlobUntil(told, digest, 1)).kind, "equal");
});

test("a start over words that nobody brought is refused again without them", async () => {
  const told = story();
  const start = { ...startRequest(configOf("single-operator"), "1"), words: sha256("words that are not there") };
  assert.deepEqual(codesOf(told.ask(start, { by: KERNEL_ACTOR })), ["value-altered"]);
  assert.equal((await again(told)).kind, "equal");
});

test("what a record was caused by and asked with is decided again with it", async () => {
  const told = story();
  told.ask({ kind: "annotate", text: "seen" }, { asked: sha256("asked"), causationId: told.other });
  assert.deepEqual([lastOf(told).causationId, lastOf(told).asked], [told.other, sha256("asked")]);
  assert.equal((await again(told)).kind, "equal");
});

test("a record that is stamped before the one before it says so", async () => {
  const told = story();
  told.pass(1_000);
  told.ask({ kind: "annotate", text: "first" });
  const last = told.ask({ kind: "annotate", text: "second" });
  assert.equal(last.kind, "done");
  const earlier = later(told.now(), -1);
  const retold = { ...lastOf(told), eventTime: earlier, processTime: earlier };
  assert.deepEqual(await again(told, [...told.records.slice(0, -1), retold]), {
    difference: { cause: "stamped-earlier", facts: {} },
    kind: "differs",
    seq: retold.seq,
  });
});
