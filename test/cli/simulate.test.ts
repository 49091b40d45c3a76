// dedalus simulate, in this process: what it says at the start, whom it answers, and how it ends.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { misfitOf } from "./answer-schema.ts";
import { atDesk } from "./desk.ts";

const SCENARIO = readFileSync(new URL("../../examples/three-nodes.yaml", import.meta.url), "utf8");
const FILES = { "three-nodes.yaml": SCENARIO };
const WORDS = ["simulate", "--scenario", "three-nodes.yaml"] as const;

const statusOf = (url: string, ca: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const agent = new Agent({ ca, keepAlive: false });
    const sent = request(`${url}/api2/json/version`, { agent, headers: { Authorization: TOKEN } }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode));
    });
    sent.on("error", reject);
    sent.end();
  });
const TOKEN = "PVEAPIToken=dedalus@pve!observe=11111111-1111-4111-8111-111111111111";

/** Runs it until it was asked once; everything that it printed, and its exit code. */
const played = async (
  ...more: readonly string[]
): Promise<{ readonly code: number; readonly pieces: readonly string[] }> => {
  const stop = new AbortController();
  const pieces: string[] = [];
  let heard: () => void = () => undefined;
  const isUp = new Promise<void>((resolve) => {
    heard = resolve;
  });
  const out = (text: string): void => {
    pieces.push(text);
    heard();
  };
  return atDesk(
    FILES,
    async (dedalus, folder) => {
      const running = dedalus(...WORDS, "--ca", "ca.pem", ...more);
      await Promise.race([isUp, running.then(({ err }) => assert.fail(err))]);
      const url = /https:\/\/127\.0\.0\.1:\d+/.exec(pieces[0] ?? "")?.[0] ?? assert.fail(pieces[0]);
      assert.equal(await statusOf(url, readFileSync(join(folder, "ca.pem"), "utf8")), 200);
      stop.abort();
      const { code } = await running;
      await assert.rejects(statusOf(url, ""), "nobody listens any more");
      return { code, pieces };
    },
    { interrupted: () => stop.signal, out },
  );
};

test("simulate says how to reach it, answers until it is ended, and ends with 0", async () => {
  const { code, pieces } = await played();
  assert.equal(code, 0);
  assert.match(
    pieces.join(""),
    /^https:\/\/127\.0\.0\.1:\d+ {2}Proxmox VE 9\.2\.3, simulated: 3 nodes, 9 guests\nfingerprint (?:[0-9A-F]{2}:){31}[0-9A-F]{2}\ncertificate ca\.pem\ntoken dedalus@pve!observe=1{8}-/,
  );
  assert.match(pieces.join(""), /open nothing that exists/);
});

test("simulate --json --follow prints one value a line: how it started, and each answer", async () => {
  const { pieces } = await played("--json", "--follow");
  const values = pieces.map((line) => JSON.parse(line));
  assert.deepEqual(
    values.map(({ kind }) => kind),
    ["started", "answered"],
  );
  assert.equal(values[0].ca, "ca.pem");
  for (const value of values) assert.equal(misfitOf("simulation", value), undefined);
  assert.deepEqual(values[1], { httpStatus: 200, kind: "answered", method: "GET", path: "/api2/json/version" });
});

test("simulate refuses a taken port, a wrong one, a wrong scenario and a file in its way", async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  const address = taken.address();
  assert.ok(address !== null && typeof address === "object");
  try {
    await atDesk({ ...FILES, "mine.txt": "mine", "wrong.yaml": "version: 1\nnodes: []\n" }, async (dedalus, folder) => {
      const busy = await dedalus(...WORDS, "--port", `${address.port}`, "--json");
      assert.equal(busy.code, 2);
      const [refusal] = JSON.parse(busy.out).error.refusals;
      assert.deepEqual(
        [refusal.code, refusal.cause, refusal.facts],
        ["port-unusable", "taken", { port: address.port }],
      );
      for (const port of ["0", "65536", "-1", "80x"]) assert.equal((await dedalus(...WORDS, `--port=${port}`)).code, 2);
      const wrong = await dedalus("simulate", "--scenario", "wrong.yaml");
      assert.match(wrong.err, /wrong\.yaml:\d+:\d+: /);
      assert.match((await dedalus(...WORDS, "--ca", "mine.txt")).err, /file-exists/);
      assert.equal(readFileSync(join(folder, "mine.txt"), "utf8"), "mine");
      assert.equal((await dedalus("simulate")).code, 2);
    });
  } finally {
    await new Promise((resolve) => taken.close(resolve));
  }
});
