// How people refer to things on the command line: VMs by number, name and range, plans by the beginning of their id,
// actions with and without vm., the configuration and the environment that were not named; and what a wrong reference
// gets.

import assert from "node:assert/strict";
import { chownSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { COMMANDS } from "../../src/cli/catalogue/catalogue.ts";
import { now } from "../../src/clock.ts";
import { atDesk, current, type Printed, runAt, vm } from "./desk.ts";

type Dedalus = (...argv: readonly string[]) => Promise<Printed>;

const WANTED = `version: 1
environment: home
vms:
  - { vmid: 101, name: web-01, target: running }
  - { vmid: 102, name: web-02, target: running }
  - { vmid: 103, name: twin, target: running }
  - { vmid: 104, name: twin, target: running }
  - { vmid: 105, name: "101", target: running }
`;
const SEEN = [
  vm(101, "web-01", "stopped"),
  vm(102, "web-02", "running"),
  vm(103, "twin", "running"),
  vm(104, "other", "running"),
  vm(105, "101", "running"),
];

const FILES = { "current.json": current(SEEN, { observedAt: now() }), "wanted.yaml": WANTED };

const registered = (work: (dedalus: Dedalus, folder: string) => Promise<void>): Promise<void> =>
  atDesk(FILES, async (dedalus, folder) => {
    assert.equal((await dedalus("init", ".", "--operator", "alice")).code, 0);
    assert.equal((await dedalus("register", "wanted.yaml")).code, 0, "the only environment needs no name");
    await work(dedalus, folder);
  });

type Refused = { readonly cause?: string; readonly code: string; readonly facts: Readonly<Record<string, unknown>> };

/** Of a command that must be told as bad input. */
const misuse = async (dedalus: Dedalus, ...argv: readonly string[]): Promise<Refused> => {
  const { code, out } = await dedalus(...argv, "--json");
  assert.equal(code, 2, `${argv.join(" ")}: ${out}`);
  return JSON.parse(out).error.refusals[0];
};

const scopeOf = async (dedalus: Dedalus, only: string): Promise<readonly number[]> => {
  const { out } = await dedalus("plan", "--only", only, "--json");
  return JSON.parse(out).plan.scope;
};

const withVariable = async (name: string, value: string, work: () => Promise<void>): Promise<void> => {
  process.env[name] = value;
  try {
    await work();
  } finally {
    delete process.env[name];
  }
};

test("VMs are named by number, name or range, in lists of any of them", () =>
  registered(async (dedalus) => {
    assert.deepEqual(await scopeOf(dedalus, "102"), [102]);
    assert.deepEqual(await scopeOf(dedalus, "WEB-01"), [101]);
    assert.deepEqual(await scopeOf(dedalus, "web-02, 103-199"), [102, 103, 104, 105]);
    assert.deepEqual(await scopeOf(dedalus, "102-102,web-01"), [101, 102]);
    assert.equal((await dedalus("status", "--vm", "web-01")).code, 0);
    const { out } = await dedalus("plan", "--action", "start", "--vm", "web-01", "--json");
    assert.deepEqual(JSON.parse(out).plan.answers[0].action, { kind: "vm.start" });
  }));

test("a word that could mean two VMs means none of them, and lists them", () =>
  registered(async (dedalus) => {
    const twin = await misuse(dedalus, "status", "--vm", "twin");
    assert.deepEqual([twin.cause, twin.facts["candidates"]], ["vm-ambiguous", ["103 twin (home)", "104 twin (home)"]]);
    const number = await misuse(dedalus, "plan", "--only", "101");
    assert.deepEqual([number.cause, number.facts["candidates"]], ["vm-ambiguous", ["101 web-01", "105 101"]]);
    assert.equal((await dedalus("status", "--vm", "103")).code, 0, "its number alone is clear");
  }));

test("an unknown VM is bad input, and the nearest one is named", () =>
  registered(async (dedalus) => {
    const typo = { argument: "--vm", found: "wbe-01", meant: "web-01" };
    for (const words of [
      ["status"],
      ["reconcile"],
      ["plan", "--action", "vm.start"],
      ["accept-identity", "--identity", "x", "--reason", "rebuilt"],
      ["ledger", "show"],
    ]) {
      const { cause, facts } = await misuse(dedalus, ...words, "--vm", "wbe-01");
      assert.deepEqual([cause, facts], ["vm-unknown-meant", typo], words.join(" "));
    }
    assert.equal((await misuse(dedalus, "status", "--vm", "900000")).cause, "vm-unknown");
    assert.equal((await misuse(dedalus, "plan", "--only", "900-999")).cause, "vm-unknown", "a range of nothing");
    assert.equal((await dedalus("ledger", "show", "--vm", "900000")).code, 0, "a ledger remembers what is gone");
  }));

test("a plan is named by the beginning of its id in either case, or as the one that was answered last", () =>
  registered(async (dedalus) => {
    assert.equal((await misuse(dedalus, "plan", "show", "latest")).cause, "no-plan");
    const first = JSON.parse((await dedalus("plan", "--only", "web-01", "--json")).out).id;
    const second = JSON.parse((await dedalus("plan", "--only", "102", "--json")).out).id;
    const shown = async (word: string) => JSON.parse((await dedalus("plan", "show", word, "--json")).out).id;
    assert.equal(await shown(first.toLowerCase()), first);
    assert.equal(await shown("latest"), second);
    let same = 0;
    while (first[same] === second[same]) same += 1;
    assert.equal(await shown(first.slice(0, same + 1).toLowerCase()), first);
    const { cause, facts } = await misuse(dedalus, "plan", "show", first.slice(0, same));
    assert.deepEqual([cause, facts["candidates"]], ["plan-ambiguous", [first, second]]);
    assert.equal((await misuse(dedalus, "cancel", "7ZZZ", "--reason", "no")).code, "plan-unknown");
    assert.equal((await dedalus("cancel", "latest", "--reason", "not wanted")).code, 0);
    assert.equal(await shown("latest"), second, "what became of it makes no other plan the latest");
    const again = JSON.parse((await dedalus("plan", "--only", "web-01", "--json")).out).id;
    assert.equal(await shown("latest"), again);
    assert.equal((await dedalus("explain", "LATEST", "--step", "1")).code, 0);
  }));

test("explain answers for every VM of a plan, and for no other", () =>
  registered(async (dedalus) => {
    await dedalus("plan", "--only", "web-01,web-02,104");
    const explained = async (word: string) => {
      const { code, out } = await dedalus("explain", "latest", "--vm", word, "--json");
      assert.equal(code, 0, out);
      return JSON.parse(out).explanation.answer;
    };
    assert.equal(await explained("web-01"), "step");
    assert.equal(await explained("web-02"), "in-sync", "by the name that is registered");
    assert.equal(await explained("104"), "refusal");
    const { code, facts } = await misuse(dedalus, "explain", "latest", "--vm", "103");
    assert.equal(code, "vm-not-desired", JSON.stringify(facts));
    assert.equal((await misuse(dedalus, "explain", "latest", "--vm", "web-03")).facts["meant"], "web-01");
  }));

test("actions are named with or without vm., and a wrong one with its nearest", () =>
  registered(async (dedalus) => {
    for (const action of ["start", "vm.start"])
      assert.equal((await dedalus("plan", "--vm", "web-01", "--action", action)).code, 4, action);
    const { code, facts } = await misuse(dedalus, "plan", "--vm", "web-01", "--action", "statr");
    assert.deepEqual([code, facts["meant"]], ["action-unknown", "start"]);
    const far = await misuse(dedalus, "plan", "--vm", "web-01", "--action", "teleport");
    assert.equal(far.cause, "not-an-action");
    const stray = await misuse(dedalus, "plan", "--vm", "web-01", "--action", "start", "--cpus", "2");
    assert.equal(stray.cause, "goes-with", "what an action does not take is not ignored");
  }));

test("a plan from files and a recorded one do not mix their options", () =>
  registered(async (dedalus) => {
    const files = ["plan", "--desired", "wanted.yaml", "--replay", "current.json"];
    for (const stray of [
      ["--env", "home"],
      ["--vm", "101"],
      ["--config", "dedalus.yaml"],
    ])
      assert.equal((await misuse(dedalus, ...files, ...stray)).cause, "not-together", stray.join(" "));
    assert.equal((await misuse(dedalus, "plan", "--env", "home", "--complete")).cause, "not-together");
    assert.equal((await dedalus(...files, "--only", "web-01")).code, 4, "names of the file");
    assert.equal((await misuse(dedalus, ...files, "--only", "wbe-01")).facts["argument"], "--only");
    for (const stray of [["--step", "1"], ["--as-shown"], ["--challenge"]]) {
      const { cause, facts } = await misuse(dedalus, "explain", "plan.json", "--vm", "101", ...stray);
      assert.deepEqual({ cause, facts }, { cause: "recorded-plan-only", facts: { argument: stray[0] } });
    }
  }));

test("one of a thing is told in the singular", () =>
  atDesk(FILES, async (dedalus) => {
    await dedalus("init", ".", "--operator", "alice");
    await dedalus("ledger", "checkpoint");
    assert.match((await dedalus("status")).out, /; 1 record\n/);
    assert.match((await dedalus("replay")).out, /^replayed 1 record:/);
    await dedalus("ledger", "checkpoint");
    assert.match((await dedalus("replay")).out, /^replayed 2 records:/);
  }));

test("records and states past the end are bad input", () =>
  registered(async (dedalus) => {
    const { size } = JSON.parse((await dedalus("status", "--json")).out);
    for (const words of [
      ["state", "--at"],
      ["replay", "--to"],
    ]) {
      assert.equal((await dedalus(...words, String(size - 1))).code, 0, words.join(" "));
      const { cause, facts } = await misuse(dedalus, ...words, String(size));
      assert.deepEqual([cause, facts], ["record-unknown", { seq: size, size }]);
    }
  }));

const SOMEBODY = 54_321;

const TWO = (text: string): string => text.replace(/^( *)home:\n((?:\1 .*\n)+)/m, "$&$1away:\n$2");

test("the environment is DEDALUS_ENV or the only one; of several one is named", () =>
  registered(async (dedalus, folder) => {
    const file = join(folder, "dedalus.yaml");
    writeFileSync(file, TWO(readFileSync(file, "utf8")));
    const several = await misuse(dedalus, "plan");
    assert.deepEqual([several.cause, several.facts["known"]], ["several", ["away", "home"]]);
    await withVariable("DEDALUS_ENV", "home", async () => {
      assert.equal((await dedalus("plan", "--only", "102")).code, 0);
      assert.equal((await misuse(dedalus, "plan", "--env", "hmoe")).facts["meant"], "home", "--env comes first");
      const { out } = await dedalus("freeze", "--reason", "a brake stops everything", "--json");
      assert.ok(!("environment" in JSON.parse(out)));
    });
    assert.equal((await misuse(dedalus, "status", "--env", "nowhere-near")).cause, "not-in-file");
  }));

/** A narrower scope of what is everything by itself: no brake and no overview becomes smaller by a variable. */
const NARROWED = new Set(["doctor", "freeze", "invite", "ledger show", "status", "token create", "unfreeze", "whatif"]);
/** What each asks for besides, so that the environment is what it is judged by. */
const ASKED: Readonly<Record<string, readonly string[]>> = {
  "accept-identity": ["--vm", "101", "--identity", "x", "--reason", "rebuilt"],
  history: ["101"],
  reboot: ["101"],
  reconcile: ["--vm", "101"],
  register: ["wanted.yaml"],
  resize: ["101", "--cpus", "2"],
  shutdown: ["101"],
  snapshot: ["101", "before"],
  start: ["101"],
  stop: ["101"],
};

test("every command with --env heeds DEDALUS_ENV, or is everything by itself", () =>
  registered(async (dedalus, folder) => {
    const file = join(folder, "dedalus.yaml");
    writeFileSync(file, TWO(readFileSync(file, "utf8")));
    // What must be named is named by the option alone.
    const entries = COMMANDS.filter(({ options }) =>
      options.some(({ name, required }) => name === "env" && required !== true),
    );
    const heeding = entries.filter(({ name }) => !NARROWED.has(name));
    assert.equal(entries.length - heeding.length, NARROWED.size);
    for (const { name } of heeding) {
      const words = [...name.split(" "), ...(ASKED[name] ?? [])];
      await withVariable("DEDALUS_ENV", "hmoe", async () => {
        const { cause, code, facts } = await misuse(dedalus, ...words);
        assert.deepEqual(
          [code, cause, facts["meant"]],
          ["environment-unknown", "not-in-file-meant", "home"],
          words.join(" "),
        );
      });
      await withVariable("DEDALUS_ENV", "home", async () => {
        const { out } = await dedalus(...words, "--json");
        const codes = (JSON.parse(out).error?.refusals ?? []).map(({ code }: Refused) => code);
        assert.ok(!codes.includes("environment-unknown"), `${words.join(" ")}: ${out}`);
      });
    }
  }));

test("dedalus.yaml is searched upwards, and DEDALUS_CONFIG and --config come before it", () =>
  registered(async (dedalus, folder) => {
    const below = join(folder, "a", "b");
    mkdirSync(below, { recursive: true });
    const from = (where: string, ...argv: readonly string[]): Promise<Printed> => runAt(where, argv);
    assert.equal((await from(below, "status")).code, 0);
    assert.equal((await from("/", "status")).code, 2, "nothing is searched below");
    if (process.getuid?.() === 0) {
      chownSync(join(folder, "a"), SOMEBODY, SOMEBODY);
      assert.equal((await from(below, "status")).code, 2, "what is above somebody else's folder is not ours to use");
      chownSync(join(folder, "a"), 0, 0);
    }
    await withVariable("DEDALUS_CONFIG", join(folder, "dedalus.yaml"), async () => {
      assert.equal((await from("/", "status")).code, 0);
      assert.equal((await from("/", "status", "--config", "none.yaml")).code, 2);
    });
    writeFileSync(join(folder, "a", "dedalus.yaml"), "version: 1\nnonsense: 2\n");
    const broken = await from(below, "status", "--json");
    const { position: at } = JSON.parse(broken.out).error.refusals[0];
    assert.equal(at.file, join(folder, "a", "dedalus.yaml"), "the nearest one, by its full path");
    assert.equal((await dedalus("status")).code, 0);
  }));
