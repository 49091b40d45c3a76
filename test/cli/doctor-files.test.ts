// What doctor says of the ledger's files: those that others may read, and those that let readers in and keep writers
// out.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Refusal } from "../../src/spine/model.ts";
import { serverUser } from "../../tools/servers/unprivileged.ts";
import { cannot } from "../cannot.ts";
import { coded } from "../spine/world.ts";
import { ANCHOR, DATABASE, withLedger } from "./ledger-desk.ts";

const examined = (harm: (folder: string) => void): Promise<readonly Refusal[]> =>
  withLedger(1, async (dedalus, folder) => {
    // What a process that was killed leaves behind.
    for (const file of ["-wal", "-shm"]) writeFileSync(join(folder, `${DATABASE}${file}`), "", { mode: 0o600 });
    harm(folder);
    const { code, out } = await dedalus("doctor", "--json");
    const { refusals } = JSON.parse(out).checks.find(({ check }: { check: string }) => check === "files");
    assert.equal(code === 0, refusals.length === 0, out);
    return refusals;
  });
const quiet = (): void => undefined;

for (const file of [DATABASE, `${DATABASE}-wal`, `${DATABASE}-shm`, `${DATABASE}-owner-x`, ANCHOR]) {
  cannot("B5", `leave ${file} open to others unseen`, {
    neighbour: () => examined((folder) => writeFileSync(join(folder, file), "", { flag: "a", mode: 0o600 })),
    offence: async () =>
      coded(
        "file-open",
        await examined((folder) => {
          writeFileSync(join(folder, file), "", { flag: "a" });
          chmodSync(join(folder, file), 0o640);
        }),
      ),
  });
}

const HARMS: Readonly<Record<string, (folder: string) => void>> = {
  "is a folder": (folder) => {
    rmSync(join(folder, `${DATABASE}-shm`));
    mkdirSync(join(folder, `${DATABASE}-shm`), { mode: 0o700 });
  },
  "may not be written": (folder) => chmodSync(join(folder, `${DATABASE}-shm`), 0o400),
  ...(process.getuid?.() === 0
    ? { "is somebody else's": (folder: string) => chownSync(join(folder, `${DATABASE}-shm`), 65_534, 65_534) }
    : {}),
};
for (const [what, harm] of Object.entries(HARMS)) {
  cannot("P7-F1", `call a ledger sound whose -shm ${what}`, {
    neighbour: () => examined(quiet),
    offence: async () => coded("file-held", await examined(harm)),
  });
}
test("what keeps writers out is a cause by what the file holds, with whom it should belong to", async () => {
  const causes = async (harm: (folder: string) => void) =>
    (await examined(harm)).map(({ cause, facts: { gid, uid } }) => [cause, typeof gid, typeof uid]);
  const made = (cause: string) => [[cause, "number", "number"]];
  const unwritable = (end: string) => (folder: string) => chmodSync(join(folder, `${DATABASE}${end}`), 0o400);
  assert.deepEqual(await causes(unwritable("-shm")), made("index-unwritable"));
  assert.deepEqual(await causes(unwritable("-wal")), made("records-unwritable"));
  assert.deepEqual(await causes(HARMS["is a folder"] ?? quiet), made("index-special"));
});

cannot("P7-F1", "call a ledger sound whose log may not be written", {
  neighbour: () => examined(quiet),
  offence: async () =>
    coded("file-held", await examined((folder) => chmodSync(join(folder, `${DATABASE}-wal`), 0o400))),
});

test("a file that keeps writers out is named with what mends it, and that mends it", async (t) => {
  const user = serverUser();
  if (user === undefined)
    return t.diagnostic("NOT SHOWN: the file of somebody else needs two users, and this is not root");
  await withLedger(1, async (dedalus, folder) => {
    const shm = join(folder, `${DATABASE}-shm`);
    const source = new URL("../../src/ledger/engines/sqlite/sqlite.ts", import.meta.url).href;
    /** As a user who is not root: a writer that is killed, a reader, or a writer. */
    const asUser = (what: string): string => {
      const script = `
        const { openSqlite } = await import(${JSON.stringify(source)});
        const opened = await openSqlite(${JSON.stringify(join(folder, DATABASE))}, { mode: ${JSON.stringify(what === "read" ? what : "write")} });
        process.stdout.write(opened.kind);
        if (${JSON.stringify(what)} === "killed") process.kill(process.pid, "SIGKILL");
      `;
      return spawnSync(process.execPath, ["-e", script], { encoding: "utf8", ...user }).stdout;
    };
    spawnSync("chown", ["-R", `${user.uid}:${user.gid}`, folder]);
    assert.equal(asUser("killed"), "open");
    chownSync(shm, 0, 0);
    chmodSync(shm, 0o644);
    assert.deepEqual([asUser("read"), asUser("write")], ["open", "refused"]);
    const { out } = await dedalus("doctor");
    const next = /^ *(rm -rf '[^']+-shm')$/m.exec(out)?.[1];
    assert.ok(next, out);
    assert.equal(spawnSync("sh", ["-c", next]).status, 0);
    assert.deepEqual([asUser("read"), asUser("write")], ["open", "open"]);
  });
});
