// Input files are plain files. A device or a FIFO in the place of any of them is refused at once: nobody waits for a
// writer that never comes, and nothing is read that has no end.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import { cannot } from "../cannot.ts";
import { atDesk, current, DESIRED, vm } from "./desk.ts";

const DEDALUS = fileURLToPath(new URL("../../bin/dedalus", import.meta.url));
const CURRENT = current([vm(101, "web-01", "stopped"), vm(102, "web-02", "running")]);

/** How each option that names a file is given; `FILE` is what stands in its place. */
const INPUTS: Readonly<Record<string, readonly string[]>> = {
  "--anchor of ledger verify": ["ledger", "verify", "--anchor", "FILE"],
  "--config": ["status", "--config", "FILE"],
  "--desired": ["plan", "--desired", "FILE", "--replay", "current.json"],
  "--export of ledger verify": ["ledger", "verify", "--export", "FILE", "--key", "KEY"],
  "--out of ledger prove": ["ledger", "prove", "0", "--out", "FILE"],
  "--out of plan": ["plan", "--desired", "desired.yaml", "--replay", "current.json", "--out", "FILE"],
  "--policy": ["plan", "--desired", "desired.yaml", "--replay", "current.json", "--policy", "FILE"],
  "--policy of whatif": ["whatif", "--policy", "FILE"],
  "--proof of ledger verify": ["ledger", "verify", "--proof", "FILE"],
  "--replay": ["plan", "--desired", "desired.yaml", "--replay", "FILE"],
  "--to-file of ledger move": ["ledger", "move", "--to-file", "FILE", "--yes"],
  "FILE of register": ["register", "--env", "home", "FILE"],
  "FILE of explain": ["explain", "FILE", "--vm", "101"],
  "FILE of simulate": ["simulate", "FILE"],
};

/** Read and written by the same few functions: one of each is enough for the kinds of file that are no FIFO. */
const OTHERS: ReadonlySet<string> = new Set(["--replay", "--out of plan", "--to-file of ledger move"]);

suite("a device, a FIFO, a socket or a folder in the place of a file", () => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-inputs-"));
  const socket = createServer();
  const run = (argv: readonly string[]) =>
    spawnSync(DEDALUS, argv, { cwd: folder, encoding: "utf8", timeout: 20_000, killSignal: "SIGKILL" });
  before(async () => {
    assert.equal(run(["init", ".", "--operator", "alice"]).status, 0);
    assert.equal(run(["ledger", "checkpoint"]).status, 0);
    writeFileSync(join(folder, "desired.yaml"), DESIRED);
    writeFileSync(join(folder, "current.json"), CURRENT);
    assert.equal(spawnSync("mkfifo", ["-m", "600", join(folder, "fifo")]).status, 0);
    symlinkSync("fifo", join(folder, "link-to-fifo"));
    mkdirSync(join(folder, "folder"));
    await new Promise<void>((resume) => socket.listen(join(folder, "socket"), resume));
  });
  after(() => {
    socket.close();
    rmSync(folder, { recursive: true });
  });

  for (const [name, argv] of Object.entries(INPUTS)) {
    test(`${name} is refused with 2, 3 or 7, and waits for nobody`, () => {
      for (const file of OTHERS.has(name) ? ["fifo", "link-to-fifo", "/dev/zero", "socket", "folder"] : ["fifo"]) {
        const { error, signal, status, stderr } = run(argv.map((word) => (word === "FILE" ? file : word)));
        assert.equal(error, undefined, `${file}: ${String(error)}`);
        assert.equal(signal, null, file);
        assert.ok([2, 3, 7].includes(status ?? -1), `${file}: ${status} ${stderr}`);
        assert.doesNotMatch(stderr, /internal error|\n {4}at /, file);
      }
    });
  }

  test("the files that the configuration names are plain ones too", () => {
    const paths = [
      "keys/ledger.key",
      "anchor/checkpoints.txt",
      "ledger/dedalus.db",
      "ledger/dedalus.db-wal",
      "ledger/dedalus.db-saved-state",
      "ledger/dedalus.db-read-only",
    ];
    for (const path of paths) {
      const other = `${folder}-installed`;
      cpSync(folder, other, {
        filter: (one) => !/\/(?:fifo|link-to-fifo|socket|folder)$/.test(one),
        recursive: true,
      });
      rmSync(join(other, path), { force: true });
      assert.equal(spawnSync("mkfifo", ["-m", "600", join(other, path)]).status, 0);
      for (const argv of [["status"], ["ledger", "checkpoint"], ["ledger", "verify"], ["doctor"]]) {
        const { signal, stderr } = spawnSync(DEDALUS, argv, {
          cwd: other,
          encoding: "utf8",
          timeout: 20_000,
          killSignal: "SIGKILL",
        });
        assert.equal(signal, null, `${argv.join(" ")} with a FIFO at ${path}`);
        assert.doesNotMatch(stderr, /internal error|\n {4}at /, `${argv.join(" ")} with a FIFO at ${path}`);
      }
      rmSync(other, { recursive: true });
    }
  });
});

const plannedFrom = (file: string) =>
  atDesk({ "current.json": CURRENT, "desired.yaml": DESIRED }, async (dedalus) => {
    const { out } = await dedalus("plan", "--desired", "desired.yaml", "--replay", file, "--json");
    return JSON.parse(out).error?.refusals ?? [];
  });

cannot("P7-F1", "read a device as a file", {
  neighbour: () => plannedFrom("current.json"),
  offence: () => plannedFrom("/dev/zero"),
});
