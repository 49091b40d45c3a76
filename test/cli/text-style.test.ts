// How text looks: signs, columns, hashes, times, help, and errors; where its lines are broken is in wrap.test.ts. What
// JSON says stays whole.

import assert from "node:assert/strict";
import { realpathSync } from "node:fs";
import { test } from "node:test";
import { COMMANDS } from "../../src/cli/catalogue/catalogue.ts";
import { COMMAND_GROUPS } from "../../src/cli/command.ts";
import { expiryText, fromNowText, timedFacts, whenText } from "../../src/cli/views/age.ts";
import { columns } from "../../src/cli/views/columns.ts";
import { command as marked, printable } from "../../src/cli/views/marks.ts";
import { COLOUR, PLAIN } from "../../src/cli/views/paint.ts";
import { actionSign, outcomeSign, SIGNS, signText } from "../../src/cli/views/signs.ts";
import { widthOf, wrap } from "../../src/cli/views/wrap.ts";
import type { Instant } from "../../src/spine/model.ts";
import { ACTION_KINDS } from "../../src/spine/rules/actions.ts";
import { atDesk, current, vm } from "./desk.ts";

const NOW = "2026-11-17T14:06:02.000Z" as Instant;
const at = (instant: string): Instant => instant as Instant;

test("only our own colours reach a terminal, whatever a text holds", () => {
  const evil = "a\x1b[31m\x07\r\u202e\x9b1m\u3164\ufdd0b";
  const seen = "a\\u{1b}[31m\\u{7}\\u{d}\\u{202e}\\u{9b}1m\\u{3164}\\u{fdd0}b";
  assert.equal(printable(evil), seen);
  assert.equal(printable(COLOUR.bold(evil)), `\x1b[1m${seen}\x1b[22m`);
  assert.equal(printable(marked("dedalus plan é 日本 🚀")), "dedalus plan é 日本 🚀");
});

test("columns align, whatever is in them", () => {
  assert.deepEqual(
    columns([
      ["a", "bb", "c"],
      ["aaa", "b", "c"],
    ]),
    ["a    bb  c", "aaa  b   c"],
  );
});

test("an id stays with the word that says whose it is", () => {
  const id = "01KA4QJ5V8R3W2T6Y7Z8N9M0P1";
  assert.deepEqual(wrap(`step 2 of plan ${id}, and`, 34, 2), ["step 2 of", `  plan ${id},`, "  and"]);
});

test("every action has one of three signs, and every sign is another", () => {
  assert.equal(new Set(Object.values(SIGNS).map(({ sign }) => sign)).size, Object.keys(SIGNS).length);
  const of = (sign: string) => ACTION_KINDS.filter((kind) => actionSign(kind, PLAIN) === sign);
  assert.deepEqual(of("+").toSorted(), ["vm.clone", "vm.resume", "vm.start"]);
  assert.deepEqual(of("-").toSorted(), ["vm.delete", "vm.shutdown", "vm.snapshot.delete", "vm.stop", "vm.suspend"]);
  assert.equal(of("~").length, ACTION_KINDS.length - 8);
  assert.equal(outcomeSign("succeeded", "vm.stop", PLAIN), "-");
  assert.equal(outcomeSign("failed", "vm.stop", PLAIN), "!");
  assert.equal(outcomeSign("unknown", "vm.stop", PLAIN), "?");
  assert.equal(widthOf(signText("refused", COLOUR)), 1);
});

test("a time is told from now, with the instant beside it", () => {
  assert.equal(whenText(at("2026-11-17T14:03:02.500Z"), { now: NOW }), "2 min ago (2026-11-17 14:03:02Z)");
  assert.equal(fromNowText(at("2026-11-17T14:06:01.999Z"), { now: NOW }), "just now");
  assert.equal(fromNowText(at("2026-11-15T14:06:01.000Z"), { now: NOW }), "2 d ago");
  assert.equal(expiryText(at("2026-11-17T15:03:02.000Z"), { now: NOW }), "expires in 57 min (2026-11-17 15:03:02Z)");
  assert.equal(
    fromNowText(at("2026-12-17T14:06:01.000Z"), { now: NOW }),
    "in 30 d",
    "a token of 30 days, a second later",
  );
  assert.equal(expiryText(at("2026-11-17T14:05:22.000Z"), { now: NOW }), "expired 40 s ago (2026-11-17 14:05:22Z)");
});

test("a fact that is an instant is told from now too, and a name that looks like one is not", () => {
  const instant = "2026-11-17T14:03:02.000Z";
  const facts = { end: instant, file: instant, name: instant, now: "vm.stop" };
  assert.deepEqual(timedFacts(facts, { now: NOW }), { ...facts, end: "2026-11-17 14:03:02Z (3 min ago)" });
  assert.deepEqual(timedFacts({ at: "2026-11-17" }, { now: NOW }), { at: "2026-11-17" });
});

const FILES = {
  "current.json": current([
    vm(101, "web-01", "stopped", { cpus: 2, maxmem: 2 * 2 ** 30 }),
    vm(102, "web-02", "running", { cpus: 2, maxmem: 2 * 2 ** 30 }),
    vm(1003, "web-03", "unknown"),
    vm(104, "web-04", "running"),
    vm(105, "web-05", "running"),
  ]),
  "desired.yaml": `version: 1
environment: home
vms:
  - { vmid: 101, name: web-01, target: running }
  - { vmid: 102, name: web-02, target: running, memory: 4 GiB }
  - { vmid: 1003, name: web-03, target: running }
  - { vmid: 104, name: web-04, target: running }
  - { vmid: 105, name: web-05, target: stopped, stop: shutdown }
`,
};
const PLAN = ["plan", "--desired", "desired.yaml", "--replay", "current.json", "--only", "101,102,104,105"] as const;

test("a plan reads like one: signs, columns, what changes, and the tier", async () => {
  await atDesk(FILES, async (dedalus) => {
    const { out } = await dedalus(...PLAN);
    assert.deepEqual(out.split("\n").slice(0, 5), [
      " + 101  start web-01: stopped → running  [low]",
      " ~ 102  resize web-02: memory 2 GiB → 4 GiB, pending until restart  [medium]",
      " - 105  shut down web-05: running → stopped  [medium]",
      " = 104  in sync",
      "3 steps, 0 refusals, 1 in sync",
    ]);
    assert.doesNotMatch(out, /\bvm\./);
    const all = (await dedalus(...PLAN.slice(0, -2))).out;
    assert.match(all, /^ \+ 101 {3}start web-01: [\s\S]*^ ! 1003 {2}refused: .+ \(N1, vm-unknown\)\n {9}next: /m);
  });
});

test("hashes are short in text, whole with --verbose, and whole in JSON, where actions keep their names", async () => {
  await atDesk(FILES, async (dedalus) => {
    const value = JSON.parse((await dedalus(...PLAN, "--json")).out);
    const [short, whole] = [(await dedalus(...PLAN)).out, (await dedalus(...PLAN, "--verbose")).out];
    assert.match(value.plan.hash, /^[0-9a-f]{64}$/);
    assert.ok(short.includes(`hash ${value.plan.hash.slice(0, 12)}\n`));
    assert.ok(whole.includes(`hash ${value.plan.hash}\n`));
    assert.equal(value.plan.answers[1].action.kind, "vm.resize");
  });
});

test("at a terminal a plan keeps to its width, and NO_COLOR to plain text", async () => {
  const io = { isOutTerminal: true, noColour: true, now: () => NOW, width: () => 60 };
  await atDesk(
    FILES,
    async (dedalus) => {
      const { out } = await dedalus(...PLAN);
      assert.match(out, /^ ~ 102 {2}resize web-02: memory 2 GiB → 4 GiB, pending until\n {8}restart {2}\[medium\]$/m);
      for (const line of out.split("\n")) assert.ok(line.length <= 60, line);
    },
    io,
  );
});

test("what is a file to somebody else is printed as it is, at any width", async () => {
  const narrow = { isOutTerminal: true, noColour: true, width: () => 20 };
  const script = (io: object) => atDesk({}, async (dedalus) => (await dedalus("completion", "bash")).out, io);
  assert.equal(await script(narrow), await script({}));
});

test("progress never goes over its line", async () => {
  const said: string[] = [];
  const io = { err: (text: string) => void said.push(text), isErrTerminal: true, width: () => 12 };
  await atDesk(FILES, async (dedalus) => dedalus(...PLAN), io);
  assert.ok(said.includes("\r\x1b[Kreading des"), JSON.stringify(said));
});

test("without arguments the help is printed and nothing failed, as gh does; a program gets an error", async () => {
  await atDesk({}, async (dedalus) => {
    const [bare, help] = [await dedalus(), await dedalus("--help")];
    assert.deepEqual(bare, help);
    assert.deepEqual([bare.code, bare.err], [0, ""]);
    assert.equal((await dedalus("--json")).code, 2);
  });
});

test("the overview has every command in its group, fits 80 columns, and ends with examples", async () => {
  await atDesk({}, async (dedalus) => {
    const { out } = await dedalus("help");
    for (const line of out.split("\n")) assert.ok(line.length <= 80, line);
    const headings = Object.keys(COMMAND_GROUPS).map((group) => out.search(new RegExp(`^${group}: `, "im")));
    assert.deepEqual(
      headings,
      headings.toSorted((a, b) => a - b),
    );
    assert.ok(!headings.includes(-1));
    for (const { name } of COMMANDS) {
      const first = name.split(" ")[0] ?? "";
      assert.match(out, new RegExp(`^  (?:${name}|${first} …) `, "m"), name);
    }
    assert.match(out, /\nExamples:\n {2}dedalus drift\n/);
    for (const group of ["ledger", "token"]) {
      for (const line of (await dedalus(group, "--help")).out.split("\n\n")[1]?.split("\n") ?? []) {
        assert.ok(line.length <= 80, line);
      }
    }
  });
});

test("at 60 columns the help of every command fits, but for commands to paste", async () => {
  const io = { isOutTerminal: true, noColour: true, width: () => 60 };
  await atDesk(
    {},
    async (dedalus) => {
      for (const { name } of COMMANDS) {
        const { out } = await dedalus(...name.split(" "), "--help");
        const wide = out.split("\n").filter((line) => line.length > 60 && !/dedalus /.test(line));
        assert.deepEqual(wide, [], name);
      }
    },
    io,
  );
});

test("an error names the whole path of its file, and its cause on the first line", async () => {
  await atDesk({ ...FILES, "desired.yaml": "version: 1\nvms: {}\n" }, async (dedalus, folder) => {
    const { code, err } = await dedalus(...PLAN);
    assert.equal(code, 2);
    assert.ok(
      err.startsWith(`${folder}/desired.yaml:`) || err.startsWith(`${realpathSync(folder)}/desired.yaml:`),
      err,
    );
    assert.match(err, /desired\.yaml:\d+:\d+: [^\n]+: [^\n]+ \([A-Z0-9-]+, [a-z-]+\)\n {2}why: {2}.+\n {2}next: /);
    const { error } = JSON.parse((await dedalus(...PLAN, "--json")).out);
    assert.equal(error.refusals[0].position.file, "desired.yaml", "a program gets what it named");
    const absent = (await dedalus("plan", "--desired", "no.yaml", "--replay", "current.json")).err;
    assert.match(absent, /^\/[^:]*\/no\.yaml: File cannot be read: /, "a file that is not there has no line");
  });
});

test("a usage error says what to do, and teaches nothing", async () => {
  await atDesk(FILES, async (dedalus) => {
    for (const argv of [
      ["plam"],
      ["plan", "--nonsense"],
      ["ledger"],
      ["replay", "--to", "x"],
      ["plan", "--action", "strat", "--vm", "101"],
    ]) {
      const { code, err } = await dedalus(...argv);
      assert.equal(code, 2, argv.join(" "));
      assert.doesNotMatch(err, /why:/, argv.join(" "));
      assert.match(err, / {2}next: /, argv.join(" "));
    }
    assert.match((await dedalus("plan", "--desired", "no.yaml", "--replay", "current.json")).err, / {2}why: /);
  });
});

const HEAD = "version: 1\nenvironment: home\nvms:\n";
const items = (count: number): string =>
  Array.from({ length: count }, (_, at) => `  - vmid: ${201 + at}\n    name: web-${at}\n    target: running\n`).join(
    "",
  );
const flows = (count: number): string =>
  Array.from({ length: count }, (_, at) => `  - { vmid: ${201 + at}, name: web-${at}, target: running }\n`).join("");

const ONE_MISTAKE: Readonly<Record<string, string>> = {
  "a key less far in": `${HEAD}  - vmid: 101\n   name: web-01\n    target: running\n${items(30)}`,
  "a key further in": `version: 1\n  environment: home\nvms:\n${items(30)}`,
  "a list item further in": `${HEAD}${items(2)}    - vmid: 110\n      name: a\n${items(30)}`,
  "a block that is shifted": `${HEAD}${items(2)}${items(30).replace(/^/gm, " ").trimEnd()}\n`,
  "a tab": `${HEAD}\t- vmid: 101\n\t  name: web-01\n${items(30)}`,
  "an open quote": `${HEAD}  - vmid: 101\n    name: "web-01\n    target: running\n${items(30)}`,
  "an open brace": `${HEAD}  - { vmid: 101, name: web-01, target: running\n${flows(30)}`,
  "an open bracket": `version: 1\nenvironment: home\nvms: [\n${flows(30)}`,
  "a brace too many": `${HEAD}  - { vmid: 101, name: web-01, target: running }}\n${flows(30)}`,
  "a key twice": `version: 1\n${HEAD}${flows(30)}`,
  "a colon that is missing": `version: 1\nenvironment home\nvms:\n${items(30)}`,
};
for (const [mistake, text] of Object.entries(ONE_MISTAKE)) {
  test(`${mistake} is one error`, async () => {
    await atDesk({ "current.json": FILES["current.json"], "desired.yaml": text }, async (dedalus) => {
      const { code, out } = await dedalus(...PLAN, "--json");
      assert.equal(code, 2);
      assert.equal(JSON.parse(out).error.refusals.length, 1, out);
    });
  });
}

test("the same mistake in seven entries is told once with its places, and to a program each", async () => {
  const entries = Array.from(
    { length: 7 },
    (_, at) => `  - { vmid: ${101 + at}, name: web-${at}, target: sleeping }\n`,
  );
  const text = `${HEAD}${entries.join("")}  - { vmid: 0, name: web-9, target: running }\n`;
  await atDesk({ "current.json": FILES["current.json"], "desired.yaml": text }, async (dedalus) => {
    const { code, err } = await dedalus(...PLAN);
    assert.equal(code, 2);
    const said = err.split("\n").filter((line) => /desired\.yaml:\d+/.test(line));
    assert.equal(said.length, 2, err);
    assert.match(err, /^ {2}also: (?:\d+:\d+ vms\[[1-6]\]\.target(?:, |$)){6}$/m);
    assert.equal(JSON.parse((await dedalus(...PLAN, "--json")).out).error.refusals.length, 8);
  });
});

test("mistakes that have nothing to do with each other are told each", async () => {
  const text = `${HEAD}  - { vmid: 0, name: web-01, target: running }\n  - { vmid: 102, name: web-02, target: sleeping }\n`;
  await atDesk({ "current.json": FILES["current.json"], "desired.yaml": text }, async (dedalus) => {
    assert.equal(JSON.parse((await dedalus(...PLAN, "--json")).out).error.refusals.length, 2);
  });
});

for (const [mistake, text] of Object.entries({
  "an open object": FILES["current.json"].slice(0, -9),
  "a comma too many": FILES["current.json"].replace("}]", "},]"),
  "single quotes": FILES["current.json"].replaceAll('"', "'"),
})) {
  test(`${mistake} in JSON is one error`, async () => {
    await atDesk({ ...FILES, "current.json": text }, async (dedalus) => {
      const { code, out } = await dedalus(...PLAN, "--json");
      assert.equal(code, 2);
      assert.equal(JSON.parse(out).error.refusals.length, 1, out);
    });
  });
}

test("without its mistake such a file is read", async () => {
  for (const text of [`${HEAD}${items(30)}`, `${HEAD}${flows(30)}`]) {
    await atDesk({ ...FILES, "desired.yaml": text }, async (dedalus) => {
      assert.equal((await dedalus(...PLAN.slice(0, -2))).code, 3, "none of them is there");
    });
  }
});
