// A service that lives long and takes up by itself what is written in the configuration: recorded as a start, judged
// like a restart, and never another ledger.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { EnvironmentConfig } from "../../src/formats/dedalus/dedalus-environment.ts";
import { parseConfig } from "../../src/formats/dedalus/dedalus-yaml.ts";
import type { LedgerRecord } from "../../src/ledger/record/record.ts";
import type { Configuration } from "../../src/service/ports.ts";
import { known } from "../../src/wire.ts";
import { cannot } from "../cannot.ts";
import { soon } from "./bound.ts";
import { codes, type Ending, OPERATOR, ok, readyToApply, type Serving, serving } from "./serving.ts";

const HOME = { environment: "home" };

/** The configuration with the only environment changed. */
const withHome = ({ config }: Configuration, change: Partial<EnvironmentConfig>): Configuration["config"] => {
  const home = config.environments.get("home") ?? assert.fail("there is one");
  return { ...config, environments: new Map([["home", { ...home, ...change }]]) };
};
/** Files are looked at once in a millisecond, however many ask. */
const lately = (): Promise<void> => new Promise((resume) => setTimeout(resume, 3));
const starts = (records: readonly LedgerRecord[]): number => records.filter(({ kind }) => kind === "start").length;

test("an edit is taken up by the next request, as one recorded start, and what is planned under it is applied", async (t) => {
  const at = await serving(t);
  const service = at.openReloading();
  ok(await service.observe(OPERATOR, HOME));
  const before = starts(await at.records());
  at.written.config = withHome(at.configuration, { maxObservationAgeMs: 30_000 });
  await lately();
  for (const _ of [1, 2]) ok(await service.observe(OPERATOR, HOME));
  assert.equal(starts(await at.records()), before + 1);
  const { value } = ok(await service.apply(OPERATOR, await readyToApply(service)));
  assert.equal((await value.underway?.ended)?.file.outcome, "succeeded");
  ok(await service.status(OPERATOR, {}));
  assert.deepEqual(await service.close(), []);
  assert.deepEqual(codes(await service.observe(OPERATOR, HOME)), ["service-ending"]);
});

test("an environment that is removed is unknown to the next request, and known again when it is back", async (t) => {
  const at = await serving(t);
  const service = at.openReloading();
  const request = await readyToApply(service);
  at.written.config = { ...at.configuration.config, environments: new Map() };
  await lately();
  assert.deepEqual(codes(await service.apply(OPERATOR, request)), ["environment-unknown"]);
  assert.equal(at.provider.counts.calls, 0);
  at.written.config = at.configuration.config;
  await lately();
  ok(await service.apply(OPERATOR, request));
});

const refusedIn = async (prepare: (at: Serving) => void) => {
  const ended: (() => Promise<void>)[] = [];
  const t: Ending = { after: (work) => void ended.push(work) };
  try {
    const at = await serving(t);
    const service = at.openReloading();
    const request = await readyToApply(service);
    prepare(at);
    await lately();
    const answer = await service.apply(OPERATOR, request);
    if (answer.kind === "refused") assert.equal(at.provider.counts.calls, 0);
    else await soon("the call", answer.value.underway?.ended ?? Promise.reject(new Error("nobody performs it")));
    return answer.kind === "refused" ? answer.refusals.filter((one) => one.kind === "refusal") : [];
  } finally {
    for (const work of ended) await work();
  }
};
cannot("P7-A2", "apply in a process that lives long what was planned before the approval mode was edited", {
  neighbour: () =>
    refusedIn(({ configuration, written }) => {
      written.config = withHome(configuration, {});
    }),
  offence: () =>
    refusedIn(({ configuration, written }) => {
      written.config = withHome(configuration, { approval: "four-eyes" });
    }),
});

test("a ledger, an anchor or a key that is another one waits for a restart; reads and brakes go on where they are", async (t) => {
  const at = await serving(t);
  const service = at.openReloading();
  const { config } = at.configuration;
  const request = await readyToApply(service);
  for (const changed of [
    { anchor: "anchor/others.txt" },
    { signingKey: "keys/other.key" },
    { ledger: { ...config.ledger, settings: { path: "ledger/other.db" } } },
  ]) {
    at.written.config = { ...config, ...changed };
    await lately();
    const refused = await service.apply(OPERATOR, request);
    assert.ok(refused.kind === "refused");
    assert.deepEqual(
      refused.refusals.map(({ cause, code }) => [code, cause]),
      [["configuration-differs", "restart"]],
    );
    ok(await service.status(OPERATOR, {}));
  }
  ok(await service.freeze(OPERATOR, { reason: "to be sure" }));
  at.written.config = config;
  await lately();
  assert.deepEqual(codes(await service.apply(OPERATOR, request)), ["frozen"]);
  assert.equal(at.provider.counts.calls, 0);
});

test("a configuration that cannot be used stops everything but reads and brakes", async (t) => {
  const at = await serving(t);
  const service = at.openReloading();
  const request = await readyToApply(service);
  const broken = parseConfig("version: 1\n", "dedalus.yaml", known);
  assert.ok(broken.kind === "bad");
  at.written.problems = broken.problems;
  await lately();
  for (const ask of [
    () => service.apply(OPERATOR, request),
    () => service.observe(OPERATOR, HOME),
    () => service.unfreeze(OPERATOR, { reason: "now" }),
  ])
    assert.equal((await ask()).kind, "refused");
  ok(await service.status(OPERATOR, {}));
  ok(await service.freeze(OPERATOR, { reason: "to be sure" }));
  assert.equal(at.provider.counts.calls, 0);
});

test("a call that is on its way when an edit is taken up ends under the service that began it", async (t) => {
  const at = await serving(t);
  const service = at.openReloading();
  const go = at.provider.verdict.close();
  const { value } = ok(await service.apply(OPERATOR, await readyToApply(service)));
  at.written.config = withHome(at.configuration, { maxObservationAgeMs: 30_000 });
  await lately();
  ok(await service.observe(OPERATOR, HOME));
  assert.deepEqual(at.recovered, [], "its owner lives");
  go();
  assert.equal((await value.underway?.ended)?.recorded, true);
  assert.deepEqual(await service.close(), []);
});
