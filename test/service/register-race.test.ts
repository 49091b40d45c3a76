// Another process registers between the comparison with what is registered and the registration that follows from it:
// the ledger holds what was compared against what stands, so that a protection is never replaced by somebody who did
// not see it.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Service } from "../../src/service/service.ts";
import type { DesiredVm } from "../../src/spine/model.ts";
import { desiredTextOf } from "../desired-text.ts";
import { wantRunning, wantStopped } from "../spine/world.ts";
import { codes, OPERATOR, ok, type Serving, serving } from "./serving.ts";

const HOME = { environment: "home" };
const PLAN = { ...HOME, scope: "all" } as const;
const STOPS = wantStopped("shutdown");

const writeStops = ({ folder }: Serving): void => writeFileSync(join(folder, "desired.yaml"), desiredTextOf([STOPS]));

const register = (service: Service, entry: DesiredVm) =>
  service.register(OPERATOR, { ...HOME, desired: { file: "desired.yaml", text: desiredTextOf([entry]) } });

/** A service that reads what is registered, and right after each read another process registers the next of these. */
const rivalled = ({ open, openOver }: Serving, entries: readonly DesiredVm[]): Service => {
  const [rival, left] = [open(), [...entries]];
  return openOver((engine) => ({
    ...engine,
    blob: async (digest) => {
      const bytes = await engine.blob(digest);
      const entry = left.shift();
      if (entry !== undefined) ok(await register(rival, entry));
      return bytes;
    },
  }));
};

const results = async ({ records }: Serving): Promise<readonly unknown[]> =>
  (await records())
    .filter(({ kind }) => kind === "register")
    .map(({ body }) => (body["result"] as { readonly kind: string }).kind);

/** How the file stands to what is registered by now. */
const comparedNow = async ({ open }: Serving): Promise<string | undefined> =>
  ok(await open().makePlan(OPERATOR, PLAN)).value.desiredFile?.kind;

test("N2 a plan removes no protection that was registered while it compared its file", async (t) => {
  const at = await serving(t);
  writeStops(at);
  const { value } = ok(await rivalled(at, [wantRunning({ protected: true })]).makePlan(OPERATOR, PLAN));
  assert.equal(value.desiredFile?.kind, "loosens");
  assert.deepEqual(await results(at), ["done", "done", "refused"]);
  assert.equal(await comparedNow(at), "loosens", "the protection stands");
});

test("what another process registered without protection is compared again, and the file is registered", async (t) => {
  const at = await serving(t);
  writeStops(at);
  const { value } = ok(await rivalled(at, [wantRunning({ cpus: 2 })]).makePlan(OPERATOR, PLAN));
  assert.equal(value.desiredFile?.kind, "registered");
  assert.deepEqual(await results(at), ["done", "done", "refused", "done"]);
  assert.equal(await comparedNow(at), undefined, "the file is what is registered");
});

test("a plan compares twice, and is refused where another one was registered both times", async (t) => {
  const at = await serving(t);
  writeStops(at);
  const rivals = [wantRunning({ cpus: 2 }), wantRunning({ cpus: 4 })];
  assert.deepEqual(codes(await rivalled(at, rivals).makePlan(OPERATOR, PLAN)), ["desired-moved"]);
  assert.deepEqual(await results(at), ["done", "done", "refused", "done", "refused"]);
});

test("N2 register replaces what it shows the difference from, and nothing else", async (t) => {
  const at = await serving(t);
  const service = rivalled(at, [wantRunning({ protected: true })]);
  assert.deepEqual(codes(await register(service, STOPS)), ["desired-moved"]);
  // The rival protected it; what was meant before that was not meant of this.
  assert.deepEqual(codes(await register(service, STOPS)), ["loosening-unconfirmed"]);
  const desired = { file: "desired.yaml", text: desiredTextOf([STOPS]) };
  const meant = { ...HOME, desired, loosens: "whatever" } as const;
  const { value } = ok(await service.register(OPERATOR, meant));
  assert.deepEqual(
    value.changes?.map(({ change, vmid }) => [change, vmid]),
    [["changed", STOPS.vmid]],
  );
});
