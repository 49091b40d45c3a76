// A next step fits the place where somebody reads it: at a terminal, at a client of a service, beside a ledger.

import assert from "node:assert/strict";
import { test } from "node:test";
import { atDesk } from "./desk.ts";

const nextIn = (err: string): string => /^ *next: (.*)$/m.exec(err)?.[1] ?? assert.fail(err);

test("without a configuration, only a command that a service answers is sent to one", () =>
  atDesk({}, async (dedalus) => {
    const status = await dedalus("status");
    assert.equal(status.code, 2, status.err);
    assert.match(nextIn(status.err), /running service/);
    for (const words of [["ledger", "backup", "--out", "backup"], ["serve"]]) {
      const { code, err } = await dedalus(...words);
      assert.equal(code, 2, err);
      assert.doesNotMatch(nextIn(err), /running service/);
      assert.doesNotMatch(err, /dedalus init/);
    }
  }));

test("an agent at a pipe without a token is told the variable, and no header", () =>
  atDesk({}, async (dedalus) => {
    const { code, err } = await dedalus("mcp", "--server", "http://127.0.0.1:1");
    assert.equal(code, 3, err);
    assert.match(nextIn(err), /DEDALUS_TOKEN/);
    assert.doesNotMatch(err, /Bearer/);
  }));

test("where nothing is registered, the file that is missing comes before its registration", () =>
  atDesk({}, async (dedalus) => {
    assert.equal((await dedalus("init", ".", "--operator", "alice")).code, 0);
    const { code, err } = await dedalus("plan", "--registered");
    assert.equal(code, 3, err);
    const [written, registered] = err
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line.startsWith("dedalus "));
    assert.deepEqual(
      [written, registered],
      ["dedalus import --env home --out desired.yaml", "dedalus register --env home"],
    );
  }));
