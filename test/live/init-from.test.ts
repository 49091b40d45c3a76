// init --from against a simulated cluster: whoever answers is confirmed before anything is written, and what is written
// works.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parseConfig } from "../../src/formats/dedalus/dedalus-yaml.ts";
import { known } from "../../src/wire.ts";
import { atTerminal } from "./at-terminal.ts";
import { APPLY_TOKEN, atCluster, type Cluster, codesIn, OBSERVE_TOKEN } from "./cluster.ts";

const BIN = fileURLToPath(new URL("../../bin", import.meta.url));

const withTokens = (t: TestContext): void => {
  process.env["LAB_OBSERVE"] = OBSERVE_TOKEN;
  process.env["LAB_APPLY"] = APPLY_TOKEN;
  t.after(() => {
    delete process.env["LAB_OBSERVE"];
    delete process.env["LAB_APPLY"];
  });
};

const TOKENS = ["--observe-env", "LAB_OBSERVE", "--apply-env", "LAB_APPLY"];
const words = ({ simulator }: Cluster, ...more: readonly string[]): readonly string[] => [
  "init",
  "lab",
  "--operator",
  "alice",
  "--from",
  simulator.url,
  ...more,
];

test("a script that knows the fingerprint gets a configuration that works, from import to a plan", async (t) => {
  withTokens(t);
  await atCluster(async (cluster) => {
    const { dedalus, folder, simulator } = cluster;
    const plain = simulator.fingerprint.replaceAll(":", "").toLowerCase();
    const made = await dedalus(...words(cluster, "--fingerprint", plain, ...TOKENS));
    assert.equal(made.code, 0, made.err);
    assert.deepEqual(simulator.requests(), [], "nothing was sent");
    assert.deepEqual(readdirSync(join(folder, "lab")).sort(), [".gitignore", "dedalus.yaml", "keys"]);
    const text = readFileSync(join(folder, "lab/dedalus.yaml"), "utf8");
    assert.equal(parseConfig(text, "dedalus.yaml", known).kind, "ok");
    assert.ok(text.includes(simulator.fingerprint));
    assert.doesNotMatch(text, /11111111|22222222/);
    // The printed next steps, as they are printed, in a shell.
    const next = Array.from(made.out.matchAll(/^ {2}((?:cd|dedalus) .*)$/gm), ([, line = ""]) => line);
    assert.deepEqual(next, [
      "cd lab",
      "dedalus import --out desired.yaml",
      "dedalus doctor --env home",
      "dedalus register",
      "dedalus drift",
    ]);
    // doctor compares clocks, and the cluster's is driven.
    const pasted = next.filter((line) => !line.startsWith("dedalus doctor")).join(" && ");
    const env = { ...process.env, PATH: `${BIN}:${process.env["PATH"]}` };
    await promisify(execFile)("sh", ["-c", pasted], { cwd: folder, env });
    assert.equal((await dedalus("plan", "--env", "home", "--config", "lab/dedalus.yaml")).code, 0);
  });
});

test("without --apply-env a script gets an environment that is only observed", async () => {
  await atCluster(async (cluster) => {
    const { dedalus, folder, simulator } = cluster;
    const more = ["--fingerprint", simulator.fingerprint, "--observe-env", "LAB_OBSERVE"];
    const made = await dedalus(...words(cluster, ...more));
    assert.equal(made.code, 0);
    assert.match(made.out, /^Next, with the token .* in LAB_OBSERVE:$/m);
    const parsed = parseConfig(readFileSync(join(folder, "lab/dedalus.yaml"), "utf8"), "dedalus.yaml", known);
    assert.equal(parsed.kind, "ok");
    assert.equal(parsed.kind === "ok" && parsed.value.environments.get("home")?.secrets.length, 1);
  });
});

test("the command that is printed where nobody can be asked works where it was printed", async () => {
  await atCluster(async (cluster) => {
    const { dedalus, folder } = cluster;
    const unasked = await dedalus(...words(cluster));
    assert.equal(unasked.code, 3, unasked.err);
    const [, ...pasted] = unasked.err.trim().split("\n").at(-1)?.trim().split(" ") ?? [];
    const made = await dedalus(...pasted);
    assert.equal(made.code, 0, made.err);
    assert.match(made.out, /^Next, with the tokens .* in DEDALUS_OBSERVE and DEDALUS_APPLY:$/m);
    const parsed = parseConfig(readFileSync(join(folder, "lab/dedalus.yaml"), "utf8"), "dedalus.yaml", known);
    assert.equal(parsed.kind === "ok" && parsed.value.environments.get("home")?.secrets.length, 2);
  });
  // What was named stays as it was named.
  await atCluster(async (cluster) => {
    const unasked = await cluster.dedalus(...words(cluster, ...TOKENS));
    const pasted = unasked.err.trim().split("\n").at(-1) ?? "";
    assert.equal(pasted.match(/-env /g)?.length, 2, pasted);
    assert.doesNotMatch(pasted, /DEDALUS_/);
  });
});

test("another fingerprint, nobody to confirm it, or nobody there: nothing is written", async () => {
  await atCluster(async (cluster) => {
    const { dedalus, folder, simulator, value } = cluster;
    const other = simulator.fingerprint.replace(/^../, (byte) => (byte === "00" ? "01" : "00"));
    const before = readdirSync(folder);
    assert.equal((await dedalus(...words(cluster, "--fingerprint", other, ...TOKENS))).code, 3);
    assert.deepEqual(codesIn(await value(...words(cluster, "--fingerprint", other, ...TOKENS))), [
      "certificate-unconfirmed",
    ]);
    const unasked = JSON.stringify(await value(...words(cluster, ...TOKENS)));
    assert.match(unasked, /"certificate-unconfirmed"/);
    assert.ok(unasked.includes(simulator.fingerprint), "what a script would have to bring is shown");
    assert.deepEqual(simulator.requests(), []);
    await simulator.stop();
    assert.equal((await dedalus(...words(cluster, "--fingerprint", other, ...TOKENS))).code, 8);
    assert.deepEqual(readdirSync(folder), before);
  });
});

test("what is written wrong is said before anybody is asked", async () => {
  await atCluster(async (cluster) => {
    const { dedalus, folder, simulator, value } = cluster;
    const right = ["--fingerprint", simulator.fingerprint];
    for (const wrong of [
      ["init", "lab", "--from", "http://pve1:8006"],
      ["init", "lab", "--observe-env", "LAB_OBSERVE"],
      words(cluster, "--fingerprint", "AB:CD", ...TOKENS),
      words(cluster, ...right, "--observe-env", "not a name"),
      words(cluster, ...right, "--observe-env", "SAME", "--apply-env", "SAME"),
      words(cluster, ...right),
    ]) {
      assert.equal((await dedalus(...wrong)).code, 2, wrong.join(" "));
    }
    const stranger = JSON.stringify(await value("init", "lab", "--from", "http://pve1:8006"));
    assert.match(stranger, /"cause":"provider-unknown"/);
    const unasked = JSON.stringify(await value(...words(cluster, ...right)));
    assert.match(unasked, /"cause":"no-terminal"/);
    assert.match(unasked, /"facts":\{"argument":"--observe-env NAME"\}/);
    mkdirSync(join(folder, "lab"));
    writeFileSync(join(folder, "lab/dedalus.yaml"), "mine");
    assert.equal((await dedalus(...words(cluster, ...right, ...TOKENS))).code, 2);
    assert.equal(readFileSync(join(folder, "lab/dedalus.yaml"), "utf8"), "mine");
  });
});

test("at 60 columns the fingerprint is shown in two halves to compare, and every question fits", async () => {
  await atCluster(async (cluster) => {
    const { folder, simulator } = cluster;
    const typings = [{ says: /Type yes: /, types: "no\n" }];
    const { printed } = await atTerminal(folder, words(cluster), typings, { columns: 60 });
    // Where readline puts the cursor.
    const lines = printed.replaceAll("\x1b[1G\x1b[0J", "").split(/\r?\n/);
    const asked = lines.slice(0, lines.findIndex((line) => line.startsWith("Is it the same?")) + 1);
    for (const line of asked) assert.ok(line.length <= 60, line);
    const halves = lines.filter((line) => /^ {2}(?:[0-9A-F]{2}:){15}[0-9A-F]{2}:?$/.test(line));
    assert.equal(halves.map((line) => line.trim()).join(""), simulator.fingerprint);
    const narrow = await atTerminal(folder, words(cluster), [{ says: /yes: /, types: "no\n" }], { columns: 24 });
    assert.equal(narrow.code, 3, "a question that is broken is still answered behind its blank");
  });
});

test("a person at a terminal confirms the fingerprint and names the variables; no is no", async () => {
  await atCluster(async (cluster) => {
    const { folder, simulator } = cluster;
    const no = await atTerminal(folder, words(cluster), [{ says: /Type yes: /, types: "no\n" }]);
    assert.equal(no.code, 3, no.printed);
    assert.equal(readdirSync(folder).includes("lab"), false);
    const yes = await atTerminal(folder, words(cluster), [
      { says: /Type yes: /, types: "yes\n" },
      { says: /token to observe \[DEDALUS_OBSERVE\]: /, types: "LAB_OBSERVE\n" },
      { says: /token to apply \[DEDALUS_APPLY\]: /, types: "\n" },
    ]);
    assert.equal(yes.code, 0, yes.printed);
    assert.ok(yes.printed.includes(simulator.fingerprint));
    const text = readFileSync(join(folder, "lab/dedalus.yaml"), "utf8");
    assert.match(text, /observe: \{ env: LAB_OBSERVE \}/);
    assert.match(text, /apply: \{ env: DEDALUS_APPLY \}/);
  });
});

test("a .gitignore of somebody's own is left as it is", async () => {
  await atCluster(async (cluster) => {
    const { dedalus, folder, simulator } = cluster;
    mkdirSync(join(folder, "lab"));
    writeFileSync(join(folder, "lab/.gitignore"), "mine\n");
    const { code } = await dedalus(...words(cluster, "--fingerprint", simulator.fingerprint, ...TOKENS));
    assert.equal(code, 0);
    assert.equal(readFileSync(join(folder, "lab/.gitignore"), "utf8"), "mine\n");
  });
});
