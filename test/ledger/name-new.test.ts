// A name is given to a whole file only when nothing has it, with hard links and without.

import assert from "node:assert/strict";
import { linkSync, lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { nameNew } from "../../src/ledger/files/name-new.ts";
import { IN_THE_WAY, inNewFolder, leftAsPut } from "./in-the-way.ts";

const failing = (code: string) => (): never => {
  throw Object.assign(new Error(code), { code });
};
const LINKS = { "hard links": linkSync, "no hard links": failing("EPERM"), "no such call": failing("ENOSYS") } as const;

for (const [system, link] of Object.entries(LINKS)) {
  for (const [kind, put] of Object.entries(IN_THE_WAY))
    test(`on a system with ${system}, ${kind} keeps its name`, () =>
      inNewFolder((folder) => {
        const path = join(folder, "wanted");
        put(path);
        writeFileSync(`${path}.part`, "new");
        const before = readdirSync(folder).sort();
        assert.throws(() => nameNew(`${path}.part`, path, link), { code: "EEXIST" });
        leftAsPut(kind, path);
        assert.deepEqual(readdirSync(folder).sort(), before);
      }));

  test(`on a system with ${system}, a free name is given to the whole file, with its mode`, () =>
    inNewFolder((folder) => {
      const path = join(folder, "wanted");
      writeFileSync(`${path}.part`, "new", { mode: 0o600 });
      nameNew(`${path}.part`, path, link);
      assert.equal(readFileSync(path, "utf8"), "new");
      assert.equal(lstatSync(path).mode & 0o777, 0o600);
      assert.deepEqual(readdirSync(folder), ["wanted"]);
    }));
}

test("another failure of the system is its own, and nothing is copied", () =>
  inNewFolder((folder) => {
    const path = join(folder, "wanted");
    writeFileSync(`${path}.part`, "new");
    assert.throws(() => nameNew(`${path}.part`, path, failing("EIO")), { code: "EIO" });
    assert.deepEqual(readdirSync(folder), ["wanted.part"]);
  }));
