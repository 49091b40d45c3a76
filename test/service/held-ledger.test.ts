// The ledger is replaced beneath a service that lives long: the next request meets what a fresh opening would.

import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { bearer, codes, OPERATOR, ok, readyToApply, type Serving, serving } from "./serving.ts";

const HOME = { environment: "home" };
const anchorOf = ({ folder }: Serving): string => readFileSync(join(folder, "anchor/checkpoints.txt"), "utf8");

/** What is at the ledger's path is moved away, whole. */
const moveAway = ({ folder }: Serving): void => {
  renameSync(join(folder, "ledger"), join(folder, "ledger-away"));
  mkdirSync(join(folder, "ledger"));
};

test("a ledger that is restored beneath a held service is the one that the next request meets, frozen and without its tokens", async (t) => {
  const at = await serving(t);
  const service = at.open();
  const { token = "" } = ok(
    await service.createToken(OPERATOR, { days: 7, kind: "person", name: "eve", roles: ["operator"] }),
  ).value;
  const request = await readyToApply(service);
  const backup = { name: "backup", path: join(at.folder, "backup") };
  ok(await at.ledger.backup(OPERATOR, { to: backup }));
  ok(await service.observe(OPERATOR, HOME));
  moveAway(at);
  const restored = ok(await at.ledger.restore(OPERATOR, { from: backup, reason: "a drill" }));
  assert.equal(ok(await service.status(OPERATOR, {})).head.size, restored.head.size, "what is read is what is there");
  assert.deepEqual(codes(await service.unfreeze(bearer(token), { reason: "it is me" })), ["actor-unknown"]);
  assert.deepEqual(codes(await service.apply(OPERATOR, request)), ["frozen"]);
  assert.equal(at.provider.counts.calls, 0);
  ok(await service.observe(OPERATOR, HOME));
  await service.close();
  const records = await at.records();
  assert.equal(records[restored.head.size]?.kind, "start");
  const again = at.open();
  assert.equal(ok(await again.status(OPERATOR, {})).value.records, records.length, "its anchor fits");
});

test("a ledger that is exchanged for an older copy of itself is refused by reads, acts and brakes", async (t) => {
  const at = await serving(t);
  const first = at.open();
  ok(await first.observe(OPERATOR, HOME));
  await first.close();
  cpSync(join(at.folder, "ledger"), join(at.folder, "older"), { recursive: true });
  const service = at.open();
  ok(await service.observe(OPERATOR, HOME));
  ok(await service.checkpoint(OPERATOR, {}));
  const anchor = anchorOf(at);
  rmSync(join(at.folder, "ledger"), { recursive: true });
  renameSync(join(at.folder, "older"), join(at.folder, "ledger"));
  for (const ask of [
    () => service.status(OPERATOR, {}),
    () => service.observe(OPERATOR, HOME),
    () => service.freeze(OPERATOR, { reason: "to be sure" }),
  ])
    assert.deepEqual(codes(await ask()), ["ledger-cut-short"]);
  await service.close();
  assert.equal(anchorOf(at), anchor);
});

test("a ledger whose file is only moved and put back goes on", async (t) => {
  const at = await serving(t);
  const service = at.open();
  ok(await service.observe(OPERATOR, HOME));
  const [here, away] = [join(at.folder, "ledger/dedalus.db"), join(at.folder, "ledger/away.db")];
  renameSync(here, away);
  assert.deepEqual(codes(await service.status(OPERATOR, {})), ["ledger-cut-short"]);
  renameSync(away, here);
  ok(await service.observe(OPERATOR, HOME));
  ok(await service.status(OPERATOR, {}));
});
