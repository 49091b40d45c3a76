// Every command that reads or writes a ledger, on one that a later program has gone on with: under rules, in records,
// in tables or with a saved state of later. It is refused by name, or done where no rule is needed; nothing is
// recorded, nothing signed that cannot be read, and it is never taken for damage or for a bug. Keeps N6.

import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { COMMANDS } from "../../src/cli/catalogue/catalogue.ts";
import { openSqlite } from "../../src/ledger/engines/sqlite/sqlite.ts";
import { readRecord } from "../../src/ledger/record/read-record.ts";
import type { LedgerRecord } from "../../src/ledger/record/record.ts";
import { readKeyFile } from "../../src/ledger/tree/key-file.ts";
import { signerOf } from "../../src/ledger/tree/signer.ts";
import { RULES_VERSION } from "../../src/spine/rules/rules-version.ts";
import { counting } from "../ledger/counting.ts";
import { tamper } from "../ledger/sqlite-files.ts";
import { atDesk, type Printed } from "./desk.ts";
import { ANCHOR, DATABASE, KEY } from "./ledger-desk.ts";
import { added, linesIn, SAVED_STATE } from "./lost-ledger-desk.ts";

/** So that the ledger has a saved state. */
const MANY = 300;
const FILES = { "strict.yaml": "version: 1\ntighten:\n  - { action: vm.stop, to: refused }\n" };
const FIRST_NEWER = 1;

/** What comes out: done; refused as of a later version; or whatever it is on any ledger, which is none of these. */
type Expected = "done" | "refused";
type Kind = "newer rules" | "newer records" | "newer tables" | "newer saved state";
type Row = Readonly<Record<Exclude<Kind, "newer saved state">, Expected>>;

/** Interprets what was decided. */
const JUDGES: Row = { "newer records": "refused", "newer rules": "refused", "newer tables": "refused" };
/** Bytes, links and hashes alone. */
const CARRIES: Row = { ...JUDGES, "newer rules": "done" };
/** What lies before, on its own. */
const BEFORE: Row = { ...CARRIES, "newer records": "done" };

const PLAN = "01M7NBRH9W5M28WHRXM1JHTCJC";
const TABLE: Readonly<Record<string, readonly [argv: string, row: Row]>> = {
  "accept-clock": ["--reason x", JUDGES],
  "accept-identity": ["--env home --vm 101 --identity x --reason x", JUDGES],
  apply: [`${PLAN} --step 1`, JUDGES],
  approve: [`${PLAN} --step 1 --reason x`, JUDGES],
  cancel: [`${PLAN} --reason x`, JUDGES],
  deny: [`${PLAN} --step 1 --reason x`, JUDGES],
  drift: ["--env home", JUDGES],
  environments: ["", JUDGES],
  explain: [`${PLAN} --step 1`, JUDGES],
  freeze: ["--reason x", JUDGES],
  history: ["101", JUDGES],
  "ledger backup": ["--to backup", JUDGES],
  "ledger checkpoint": ["", JUDGES],
  "ledger export": ["--out export", CARRIES],
  "ledger move": ["--to copy.db", JUDGES],
  "ledger prove": ["0", BEFORE],
  "ledger show": ["", CARRIES],
  "ledger unlock": ["--reason x", JUDGES],
  "ledger verify": ["", CARRIES],
  invite: ["bob --role approver", JUDGES],
  list: ["", JUDGES],
  observe: ["--env home", JUDGES],
  people: ["", JUDGES],
  "people remove": ["bob --reason x", JUDGES],
  plan: ["--env home", JUDGES],
  plans: ["", JUDGES],
  "plan show": [PLAN, JUDGES],
  reboot: ["101", JUDGES],
  register: ["--env home desired.yaml", JUDGES],
  reconcile: ["--env home --vm 101", JUDGES],
  replay: ["", JUDGES],
  "request-approval": [`${PLAN} --step 1`, JUDGES],
  shutdown: ["101", JUDGES],
  start: ["101", JUDGES],
  serve: ["--listen 127.0.0.1:7400", JUDGES],
  state: ["--at 0", BEFORE],
  status: ["", JUDGES],
  stop: ["101", JUDGES],
  "token create": ["--name bob --role operator --days 1", JUDGES],
  "token list": ["", JUDGES],
  "token revoke": ["--name bob", JUDGES],
  "token rotate": ["--name bob --days 1", JUDGES],
  unfreeze: ["--reason x", JUDGES],
  whatif: ["--policy strict.yaml", JUDGES],
};
/** Those whose first question is another one, and those that open no ledger. */
const APART = new Set([
  ...[
    "audit",
    "completion",
    "contract-test",
    "doctor",
    "import",
    "init",
    "login",
    "logout",
    "mcp",
    "policy check",
    "revoke",
    "rules",
  ],
  ...["simulate", "whoami"],
  ...["ledger join", "ledger re-anchor", "ledger restore", "ledger unseal"],
  ...["snapshot", "resize"],
]);

test("every command has a row, or is told apart", () => {
  const named = COMMANDS.map(({ name }) => name).filter((name) => !APART.has(name));
  assert.deepEqual(Object.keys(TABLE).sort(), [...named].sort());
});

const lastStart = async (folder: string): Promise<LedgerRecord> => {
  const opened = await openSqlite(join(folder, DATABASE), { mode: "read" });
  assert.ok(opened.kind === "open");
  try {
    let found: LedgerRecord | undefined;
    for await (const line of opened.engine.read(0, Number.MAX_SAFE_INTEGER)) {
      const read = readRecord(line);
      if (read.kind === "record" && read.record.kind === "start") found = read.record;
    }
    return found ?? assert.fail("it was started");
  } finally {
    await opened.engine.close();
  }
};

const MAKES: Readonly<Record<Kind, (folder: string) => Promise<void>>> = {
  "newer records": async (folder) => {
    const seq = await linesIn(folder);
    await added(folder, FIRST_NEWER);
    const newer = `replace(CAST(line AS TEXT), '"v":1}', '"v":2}')`;
    tamper(join(folder, DATABASE), `UPDATE lines SET line = CAST(${newer} AS BLOB) WHERE seq = ${seq}`);
  },
  "newer rules": async (folder) => {
    const { body, configHash, kind } = await lastStart(folder);
    const request = { ...Object(body["request"]), rules: RULES_VERSION + 1 };
    await added(folder, FIRST_NEWER, {
      ...counting,
      decide: (...args) => {
        const { draft } = counting.decide(...args);
        return { draft: { ...draft, body: { ...body, request }, configHash, kind } };
      },
    });
  },
  "newer saved state": async (folder) => {
    const path = join(folder, SAVED_STATE);
    const [head = "", , state = ""] = readFileSync(path, "utf8").split("\n");
    const later = JSON.stringify({ ...JSON.parse(head), format: 2 });
    const key = readKeyFile(join(folder, KEY));
    assert.ok(key.kind === "ok");
    writeFileSync(path, `${later}\n${signerOf(key.keys).signText("a saved state of dedalus", later)}\n${state}`);
  },
  "newer tables": async (folder) => tamper(join(folder, DATABASE), "PRAGMA user_version = 99"),
};

const OF_LATER = new Set(["ledger-format newer", "ledger-format newer-record", "ledger-unusable newer-format"]);
const told = ({ out }: Printed): readonly string[] =>
  (JSON.parse(out).error?.refusals ?? []).map(
    ({ cause, code }: { cause?: string; code: string }) => `${code} ${cause}`,
  );

const onNewer = (kind: Kind, work: (dedalus: (command: string) => Promise<Printed>, folder: string) => Promise<void>) =>
  atDesk(FILES, async (dedalus, folder) => {
    assert.equal((await dedalus("init", ".", "--operator", "alice")).code, 0);
    assert.equal((await dedalus("freeze", "--reason", "one")).code, 0);
    if (kind === "newer saved state") {
      await added(folder, MANY);
      assert.equal((await dedalus("freeze", "--reason", "two")).code, 0);
    }
    await MAKES[kind](folder);
    await work((command) => dedalus(...command.split(" ").filter((word) => word !== ""), "--json"), folder);
  });

for (const kind of ["newer rules", "newer records", "newer tables"] as const)
  test(`on a ledger with ${kind} every command is refused by name, or done where no rule is needed`, async () => {
    await onNewer(kind, async (dedalus, folder) => {
      const [anchor, database] = [ANCHOR, DATABASE].map((file) => readFileSync(join(folder, file)));
      const wrong: string[] = [];
      for (const [name, [argv, row]] of Object.entries(TABLE)) {
        const printed = await dedalus(`${name} ${argv}`);
        const codes = told(printed);
        const isRefused = codes.length === 1 && OF_LATER.has(codes[0] ?? "");
        const isAsSaid = row[kind] === "done" ? printed.code === 0 : isRefused && [3, 7].includes(printed.code);
        if (!isAsSaid) wrong.push(`${name}: ${printed.code} ${codes.join()} ${printed.err}`);
      }
      assert.deepEqual(wrong, []);
      assert.deepEqual(readFileSync(join(folder, ANCHOR)), anchor, "nothing was signed");
      assert.deepEqual(readFileSync(join(folder, DATABASE)).length, database?.length, "nothing was recorded");
      const findings = JSON.parse((await dedalus("doctor")).out).healthy;
      assert.equal(findings, false);
      // What is not known is not accepted in the place of a lost anchor either.
      rmSync(join(folder, ANCHOR));
      const codes = told(await dedalus("ledger re-anchor --reason x"));
      assert.ok(codes.length === 1 && OF_LATER.has(codes[0] ?? ""), codes.join());
      assert.equal(existsSync(join(folder, ANCHOR)), false);
      if (kind !== "newer rules") return;
      const exported = await dedalus("ledger verify --export export");
      assert.equal(exported.code, 0, "what was exported holds");
    });
  });

test("a record in a format of later is not proven, and nothing is signed over it for one that no checkpoint covers", async () => {
  await atDesk({}, async (dedalus, folder) => {
    assert.equal((await dedalus("init", ".", "--operator", "alice")).code, 0);
    assert.equal((await dedalus("freeze", "--reason", "one")).code, 0);
    await added(folder, 1);
    const uncovered = (await linesIn(folder)) - 1;
    const prove = async (seq: number) => dedalus("ledger", "prove", String(seq), "--json");
    assert.equal((await prove(uncovered)).code, 0, "while everything can be read");
    await MAKES["newer records"](folder);
    for (const seq of [uncovered, uncovered + 1])
      assert.deepEqual(told(await prove(seq)), ["ledger-format newer-record"], String(seq));
    assert.equal((await prove(0)).code, 0, "its checkpoint is from before");
  });
});

test("a saved state of later is said and passed over: what it spared is folded, and everything is done", async () => {
  await onNewer("newer saved state", async (dedalus) => {
    for (const command of ["status", "ledger verify", "ledger export --out export", "ledger prove 0", "whoami"])
      assert.equal((await dedalus(command)).code, 0, command);
    assert.match((await dedalus("status")).err, /format/);
    assert.equal((await dedalus("freeze --reason x")).code, 0);
  });
});
