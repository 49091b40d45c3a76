// Who asks, at every command: the subject of DEDALUS_TOKEN with what its roles allow, or nobody. A token that is set
// and says nobody is an error, and never the operator.

import assert from "node:assert/strict";
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { COMMANDS } from "../../src/cli/catalogue/catalogue.ts";
import { readNotes } from "../../src/ledger/anchor/anchor.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { cannot } from "../cannot.ts";
import { coded } from "../spine/world.ts";
import type { Printed } from "./desk.ts";
import { ANCHOR, codesIn, DATABASE, type Dedalus, refusalsIn, withLedger } from "./ledger-desk.ts";
import { added } from "./lost-ledger-desk.ts";

const withToken = async <T>(token: string, work: () => Promise<T>): Promise<T> => {
  process.env["DEDALUS_TOKEN"] = token;
  try {
    return await work();
  } finally {
    delete process.env["DEDALUS_TOKEN"];
  }
};

const tokenFor = async (dedalus: Dedalus, name: string, role: string): Promise<string> => {
  const { code, err, out } = await dedalus("token", "create", "--name", name, "--role", role, "--days", "7", "--json");
  assert.equal(code, 0, err);
  return JSON.parse(out).token;
};

type Row = { readonly argv: readonly string[]; readonly may: readonly string[] };
const ROLES = ["observer", "operator", "approver", "auditor", "agent"] as const;
/** A sensor ingests, and is told nothing. */
const EVERY_ROLE = [...ROLES, "sensor"] as const;

/** Who may what; every other role is refused. */
const TABLE: readonly Row[] = [
  { argv: ["ledger", "checkpoint"], may: ["operator", "auditor"] },
  { argv: ["ledger", "export", "--out", "audit-ROLE"], may: ["operator", "auditor"] },
  { argv: ["ledger", "prove", "0"], may: ["operator", "auditor"] },
  { argv: ["token", "list"], may: ["operator", "auditor"] },
  { argv: ["ledger", "show"], may: ["operator", "auditor"] },
  { argv: ["ledger", "show", "--env", "home"], may: ROLES },
  { argv: ["environments"], may: ROLES },
  { argv: ["status"], may: ROLES },
  { argv: ["plans"], may: ROLES },
  { argv: ["replay"], may: ["operator", "auditor"] },
  { argv: ["whatif", "--policy", "policy.yaml"], may: ROLES },
  { argv: ["state", "--at", "0"], may: ["operator", "auditor"] },
];

test("commands on the ledger are asked for by the subject of the token, within its roles", async () => {
  await withLedger(1, async (dedalus, folder) => {
    const tokens = new Map<string, string>();
    for (const role of EVERY_ROLE) tokens.set(role, await tokenFor(dedalus, `the-${role}`, role));
    writeFileSync(join(folder, "policy.yaml"), "version: 1\ntighten: []\n");
    for (const { argv, may } of TABLE) {
      for (const [role, token] of tokens) {
        const words = argv.map((word) => word.replace("ROLE", role));
        const answer = await withToken(token, () => dedalus(...words, "--json"));
        const shown = `${words.join(" ")} as ${role}: ${answer.out}${answer.err}`;
        if (may.includes(role)) assert.equal(answer.code, 0, shown);
        else assert.deepEqual([answer.code, codesIn(answer)], [3, ["role-missing"]], shown);
      }
    }
    const { records } = JSON.parse((await dedalus("ledger", "show", "--json", "--kind", "ledger.checkpoint")).out);
    assert.deepEqual(
      records
        .slice(1)
        .map(({ actor, body }: { actor: { id: string }; body: { result: { kind: string } } }) => [
          actor.id,
          body.result.kind,
        ]),
      [
        ["the-observer", "refused"],
        ["the-operator", "done"],
        ["the-approver", "refused"],
        ["the-auditor", "done"],
        ["the-agent", "refused"],
        ["the-sensor", "refused"],
      ],
      "a refusal is a record, under the name of who asked",
    );
    for (const role of ["observer", "approver", "agent", "sensor"])
      assert.ok(!existsSync(join(folder, `audit-${role}`)));
    assert.equal((await dedalus("replay")).code, 0);
  });
});

test("a refused act on the ledger is a record, and is anchored like every other; one that leaves no record is not", async () => {
  await withLedger(1, async (dedalus, folder) => {
    const noted = (): readonly number[] =>
      readNotes(join(folder, ANCHOR)).notes.map((note) => Number(note.split("\n")[1]));
    const token = await tokenFor(dedalus, "somebody", "approver");
    for (const words of [["checkpoint"], ["move", "--to", "copy.db", "--yes"]]) {
      const before = noted();
      const refused = await withToken(token, () => dedalus("ledger", ...words, "--json"));
      assert.deepEqual(codesIn(refused), ["role-missing"]);
      const { size: records } = JSON.parse((await dedalus("status", "--json")).out);
      assert.deepEqual(noted(), [...before, records], words.join(" "));
    }
    // What nobody has signed is not signed for who may not ask.
    await added(folder, 1);
    writeFileSync(join(folder, `${DATABASE}-read-only`), "the disk was full\n");
    const before = noted();
    await withToken(token, () => dedalus("ledger", "unlock", "--reason", "let me"));
    assert.deepEqual(noted(), before);
    rmSync(join(folder, `${DATABASE}-read-only`));
    assert.equal((await dedalus("ledger", "move", "--to", "copy.db", "--yes")).code, 0);
    assert.deepEqual(noted(), [...before, (before.at(-1) ?? 0) + 2], "one note over the seal");
  });
});

const copiedBy = (role: string | undefined): Promise<readonly Refusal[]> =>
  withLedger(1, async (dedalus, folder) => {
    const token = role === undefined ? undefined : await tokenFor(dedalus, "somebody", role);
    const copy = (): Promise<Printed> => dedalus("ledger", "move", "--to", "copy.db", "--yes", "--json");
    const answer = token === undefined ? await copy() : await withToken(token, copy);
    assert.equal(existsSync(join(folder, "copy.db")), answer.code === 0, "nothing is written for who may not");
    const after = await dedalus("ledger", "checkpoint", "--json");
    assert.equal(after.code, answer.code === 0 ? 3 : 0, "and nothing is sealed");
    return refusalsIn(answer) as readonly Refusal[];
  });
for (const role of ["agent", "auditor", "approver", "observer"]) {
  cannot("P7-A1", `seal the ledger by its copy as ${role}`, {
    neighbour: () => copiedBy("operator"),
    offence: async () => coded("role-missing", await copiedBy(role)),
  });
}

const movedWith = (more: readonly string[]): Promise<readonly Refusal[]> =>
  withLedger(1, async (dedalus, folder) => {
    const answer = await dedalus("ledger", "move", "--to", "copy.db", ...more, "--json");
    assert.equal(existsSync(join(folder, "copy.db")), answer.code === 0);
    return refusalsIn(answer) as readonly Refusal[];
  });
cannot("P7-A2", "seal a ledger in a script that did not say yes", {
  neighbour: () => movedWith(["--yes"]),
  offence: async () => coded("seal-unconfirmed", await movedWith([])),
});

const unlockedBy = (role: string): Promise<readonly Refusal[]> =>
  withLedger(1, async (dedalus, folder) => {
    const token = await tokenFor(dedalus, "somebody", role);
    const readOnlyMark = join(folder, `${DATABASE}-read-only`);
    writeFileSync(readOnlyMark, "the disk was full\n");
    const answer = await withToken(token, () => dedalus("ledger", "unlock", "--reason", "more disk", "--json"));
    assert.equal(existsSync(readOnlyMark), answer.code !== 0, "who may not leaves the mark as it is");
    return refusalsIn(answer) as readonly Refusal[];
  });
cannot("P7-A1", "take writes again as an auditor", {
  neighbour: () => unlockedBy("operator"),
  offence: async () => coded("role-missing", await unlockedBy("auditor")),
});

const BLANKS = ["", " ", "\n", "\t ", "dedalus_x\n", " dedalus_x", "dedalus x", "dedalus_é"];

test("a token that is set and empty, or that holds a blank, stops every command", async () => {
  await withLedger(1, async (dedalus) => {
    for (const { name, options, positionals } of COMMANDS) {
      const needed = options.flatMap((option) => (option.required ? [`--${option.name}`, "x"] : []));
      const words = [...name.split(" "), ...needed, ...positionals.flatMap(({ required }) => (required ? ["x"] : []))];
      for (const token of name === "status" ? BLANKS : ["", "x\n"]) {
        const answer = await withToken(token, () => dedalus(...words, "--json"));
        assert.deepEqual(
          [answer.code, codesIn(answer)],
          [3, ["actor-unknown"]],
          `${name} with ${JSON.stringify(token)}`,
        );
      }
    }
  });
});

/**
 * Those that ask no ledger, and so act and read for nobody; and those that are for evidence that may be a stranger's.
 */
const WITHOUT_CALLER = new Set([
  "audit",
  "completion",
  "contract-test",
  "explain",
  "init",
  "ledger verify",
  "login",
  "logout",
  "mcp",
  "plan",
  "policy check",
  "rules",
  "serve",
  "simulate",
  "doctor",
]);

/** What they ask the ledger, they ask only one that is sealed, not joined yet, lost, or whose anchor is lost. */
const AFTER_A_LOSS = new Set(["ledger join", "ledger re-anchor", "ledger restore", "ledger unseal"]);

test("a token that the ledger does not know is nobody where a seal is undone or an anchor made anew", async () => {
  await withLedger(1, async (dedalus, folder) => {
    const refused = async (...words: readonly string[]): Promise<void> => {
      const before = (await dedalus("ledger", "show", "--json")).out;
      const answer = await withToken("dedalus_unknown", () => dedalus(...words, "--reason", "x", "--json"));
      assert.deepEqual([answer.code, codesIn(answer)], [3, ["actor-unknown"]], answer.out);
      assert.equal((await dedalus("ledger", "show", "--json")).out, before, "and leaves no record");
    };
    renameSync(join(folder, ANCHOR), join(folder, "anchor/elsewhere"));
    await refused("ledger", "re-anchor");
    assert.ok(!existsSync(join(folder, ANCHOR)));
    renameSync(join(folder, "anchor/elsewhere"), join(folder, ANCHOR));
    assert.equal((await dedalus("ledger", "move", "--to", "copy.db", "--yes")).code, 0);
    await refused("ledger", "unseal", "--copy-gone");
  });
});

test("a token that the backup does not know is nobody where a ledger is restored, and nothing is made", async () => {
  await withLedger(1, async (dedalus, folder) => {
    assert.equal((await dedalus("ledger", "backup", "--to", "backup")).code, 0);
    rmSync(join(folder, "ledger"), { recursive: true });
    const restore = ["ledger", "restore", "--from", "backup", "--reason", "x", "--json"];
    const answer = await withToken("dedalus_unknown", () => dedalus(...restore));
    assert.deepEqual([answer.code, codesIn(answer)], [3, ["actor-unknown"]], answer.out);
    assert.ok(!existsSync(join(folder, "ledger")));
    assert.equal((await dedalus(...restore)).code, 0, "the operator does");
  });
});

test("a token that the ledger does not know, or that was revoked, is nobody at every command that asks the ledger", async () => {
  await withLedger(1, async (dedalus, folder) => {
    writeFileSync(join(folder, "policy.yaml"), "version: 1\ntighten: []\n");
    const revoked = await tokenFor(dedalus, "eve", "operator");
    assert.equal((await dedalus("token", "revoke", "--name", "eve")).code, 0);
    const before = (await dedalus("ledger", "show", "--json")).out;
    const argv: Readonly<Record<string, readonly string[]>> = {
      "accept-identity": ["--env", "home", "--vm", "101", "--identity", "x", "--reason", "x"],
      invite: ["mallory", "--role", "operator"],
      "ledger move": ["--to", "copy.db", "--yes"],
      "ledger export": ["--out", "audit"],
      "ledger prove": ["0"],
      "ledger unlock": ["--reason", "x"],
      reconcile: ["--env", "home", "--vm", "101"],
      resize: ["101", "--cpus", "2", "--env", "home"],
      state: ["--at", "0"],
      "token create": ["--name", "mallory", "--role", "operator", "--days", "7"],
      "token revoke": ["--name", "eve"],
      "token rotate": ["--name", "eve", "--days", "7"],
      whatif: ["--policy", "policy.yaml"],
    };
    for (const { name, options, positionals } of COMMANDS) {
      if (WITHOUT_CALLER.has(name) || AFTER_A_LOSS.has(name)) continue;
      const needed = options.flatMap((option) => (option.required ? [`--${option.name}`, "home"] : []));
      const rest = argv[name] ?? [
        ...needed,
        ...positionals.flatMap((one) => (one.required ? [one.name === "VM" ? "101" : "desired.yaml"] : [])),
      ];
      for (const token of ["dedalus_unknown", revoked]) {
        const answer = await withToken(token, () => dedalus(...name.split(" "), ...rest, "--json"));
        assert.equal(answer.code, 3, `${name}: ${answer.out}`);
        assert.deepEqual(codesIn(answer), ["actor-unknown"], `${name}: ${answer.out}`);
      }
    }
    assert.equal((await dedalus("ledger", "show", "--json")).out, before, "and leaves no record");
    const examined = await withToken("dedalus_unknown", () => dedalus("doctor"));
    assert.match(examined.out, /WRONG caller: [\s\S]*the ledger does not know this token/);
    assert.equal(examined.code, 2);
  });
});
