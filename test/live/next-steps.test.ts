// Every next step that can be printed is a command that runs: pasted into the same shell, in the same folder, it may be
// refused by a rule and is never misunderstood.
//
// The steps are walked from the tables, not from a list here: every refusal with every cause, and everything that can
// be asked for. A real shell splits the words; a real ledger and a simulated cluster answer.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { GROUPS } from "../../src/cli/catalogue/catalogue.ts";
import { spellAfter } from "../../src/cli/spell.ts";
import type { Fact, Facts, Refusal, Vmid } from "../../src/spine/model.ts";
import { ASKABLE, type Asked, type Field } from "../../src/spine/rules/askable.ts";
import { NEXT_STEPS } from "../../src/spine/rules/next-step-table.ts";
import { nextStepsOf } from "../../src/spine/rules/next-steps.ts";
import { REFUSAL_CODES, type RefusalCode, refusalRow } from "../../src/spine/rules/refusals.ts";
import { REFUSAL_WORDS } from "../../src/spine/words/refusals/refusal-words.ts";
import type { Told } from "../../src/spine/words/template.ts";
import { atCluster, type Cluster, type PlanValue } from "./cluster.ts";

type Foreseen = { readonly ask: Asked; readonly from: Readonly<Partial<Record<Field, string>>> };
type Case = { readonly code: RefusalCode; readonly foreseen: readonly Foreseen[]; readonly cause?: string };

/** Every refusal with each of its causes, and what is foreseen after it. */
const CASES: readonly Case[] = REFUSAL_CODES.flatMap((code): readonly Case[] => {
  const rows: Readonly<Record<string, object>> = NEXT_STEPS;
  const row = rows[code] ?? [];
  const because: Told = REFUSAL_WORDS[code].because;
  const causes = typeof because === "string" ? [undefined] : Object.keys(because);
  return causes.map((cause) => ({
    code,
    foreseen: (Array.isArray(row)
      ? row
      : Object.entries(row).find(([one]) => one === cause)?.[1]) as readonly Foreseen[],
    ...(cause === undefined ? {} : { cause }),
  }));
});

/** What the asker typed, where the next step is those words again. */
const TYPED: Readonly<Partial<Record<RefusalCode, readonly string[]>>> = {
  "certificate-unconfirmed": ["init", "elsewhere", "--observe-env", "A", "--apply-env", "B"],
  "loosening-unconfirmed": ["register"],
  "seal-unconfirmed": ["ledger", "move", "--to", "sqlite:moved.db"],
};

/** As a shell reads them, when the person has written their reason. */
const wordsOf = (line: string): readonly string[] =>
  execFileSync("sh", ["-c", `printf '%s\\0' ${line.replace('"…"', '"agreed with the owner"')}`], { encoding: "utf8" })
    .split("\0")
    .slice(0, -1);

/** The few programs of the system that a next step may be. */
const SYSTEM: ReadonlySet<string> = new Set(["chmod", "rm", "sudo"]);

type Refused = { readonly error?: { readonly refusals?: readonly Refusal[] } };

/** What is wrong with a command as such; undefined where it was understood. */
const misunderstood = async ({ dedalus }: Pick<Cluster, "dedalus">, line: string): Promise<string | undefined> => {
  // What only the system can do is read by a shell and not run; doctor-files.test.ts runs one.
  if (SYSTEM.has(line.split(" ")[0] ?? "")) {
    execFileSync("sh", ["-n", "-c", line]);
    return undefined;
  }
  const [program, ...argv] = wordsOf(line);
  if (program !== "dedalus") return `${line}: is no command of ours`;
  const { code, out } = await dedalus(...argv, "--json");
  if (code === 1) return `${line}: ${out}`;
  const { error }: Refused = JSON.parse(out);
  const usage = (error?.refusals ?? []).filter((one) => one.code === "usage" || one.code === "environment-unknown");
  return usage.length === 0 ? undefined : `${line}: exit ${code}, ${usage.map(({ cause }) => cause).join(", ")}`;
};

/** Everything that a step can be about, as it is at this cluster. */
const knownAt = async (cluster: Cluster): Promise<Readonly<Record<Field, Fact>>> => {
  const { dedalus, value } = cluster;
  assert.equal((await dedalus("token", "create", "--name", "bob", "--role", "approver", "--days", "9")).code, 0);
  const plan = await value<PlanValue>("plan");
  return {
    action: "vm.start",
    applyVariable: "DEDALUS_APPLY",
    command: "ledger verify",
    confirmation: "0".repeat(64),
    cpus: 2,
    desired: "desired.yaml",
    environment: "home",
    explanation: "0".repeat(64),
    export: "exported",
    file: "fresh.yaml",
    fingerprint: "AB".repeat(32),
    gid: 1000,
    identity: "uuid it's another, created 1",
    key: "none",
    memory: 2 ** 31,
    name: "bob",
    observeVariable: "DEDALUS_OBSERVE",
    plan: plan.id,
    proof: "a.tlog-proof",
    scope: [101, 102].map(String),
    server: "http://127.0.0.1:1",
    snapshot: "before-upgrade",
    step: 1,
    uid: 1000,
    vmid: 101,
  };
};

test("every next step of every refusal is a command that runs", { timeout: 240_000 }, async () => {
  await atCluster(async (cluster) => {
    const known = await knownAt(cluster);
    const { environment, plan, step } = known;
    const lines = new Set<string>();
    for (const { cause, code, foreseen } of CASES) {
      const facts: Facts = Object.fromEntries(
        foreseen.flatMap(({ ask, from }) =>
          Object.entries(from).map(([field, name]) => {
            // A fact that names a command may name a group of them.
            const isGroup = ask === "help" && name === "group";
            return [name, isGroup ? (Object.keys(GROUPS)[0] ?? "") : known[field as Field]];
          }),
        ),
      );
      const refusal: Refusal = {
        ...(cause === undefined ? {} : { cause }),
        code,
        facts,
        kind: "refusal",
        ...refusalRow(code),
        vmid: 101 as Vmid,
      };
      const steps = nextStepsOf(refusal, { environment, plan, step });
      assert.equal(steps.length, foreseen.length, `${code} ${cause ?? ""}: a step is left out`);
      const url = ["--from", cluster.simulator.url];
      const typed = [...(TYPED[code] ?? ["status"]), ...(code === "certificate-unconfirmed" ? url : [])];
      for (const one of steps) lines.add(spellAfter(typed)(one));
    }
    assert.ok(lines.size > 25, `${lines.size}`);
    const wrong: string[] = [];
    // What moves the ledger away comes last.
    const inOrder = [...lines].sort((a, b) => Number(a.includes("--yes")) - Number(b.includes("--yes")));
    for (const line of inOrder) wrong.push(...((await misunderstood(cluster, line)) ?? "").split("\n").filter(Boolean));
    assert.deepEqual(wrong, []);
  });
});

test("everything that can be asked for is a command that runs with no more than it needs", async () => {
  await atCluster(async (cluster) => {
    const known = await knownAt(cluster);
    const wrong: string[] = [];
    for (const ask of Object.keys(ASKABLE) as readonly Asked[]) {
      const needs: readonly Field[] = ASKABLE[ask].needs;
      const line = spellAfter(["status"])({
        ask,
        with: Object.fromEntries(needs.map((field) => [field, known[field]])),
      });
      // It has no --yes: only a request that can be confirmed is asked for so.
      if (ask !== "againConfirmed")
        wrong.push(...[await misunderstood(cluster, line)].filter((one) => one !== undefined));
    }
    assert.deepEqual(wrong, []);
  });
});

test("a next step that lacks a word is found out", async () => {
  await atCluster(async (cluster) => {
    const { plan } = await knownAt(cluster);
    assert.match((await misunderstood(cluster, `dedalus approve ${plan} --step 1`)) ?? "", /option-missing$/);
    assert.match((await misunderstood(cluster, "dedalus reconcile --env home")) ?? "", /option-missing$/);
    assert.match((await misunderstood(cluster, "dedalus observe --env NAME")) ?? "", /not-in-file/);
    assert.equal(await misunderstood(cluster, `dedalus approve ${plan} --step 1 --reason "…"`), undefined);
    const { code, out } = await cluster.dedalus("approve", `${plan}`, "--reason", "…", "--json");
    assert.deepEqual([code, JSON.parse(out).error.refusals[0].cause], [2, "placeholder"]);
  });
});

/** The commands that a text names, each on its line. */
const commandsIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(/(?:^|\s)(dedalus [a-z].*)$/gm), ([, line = ""]) => line);

const TOLD: readonly (readonly string[])[] = [
  ["doctor", "--env", "home"],
  ["observe"],
  ["plan"],
  ["drift"],
  ["status"],
  ["explain", "latest", "--challenge"],
  ["import", "--out", "more.yaml"],
  ["ledger", "prove", "1"],
  ["ledger", "export", "--out", "exported files"],
  ["ledger", "backup", "--to", "backed up"],
  ["init", "a folder"],
];

test("whatever a command that succeeds names as the next one runs", { timeout: 120_000 }, async () => {
  await atCluster(async (cluster) => {
    const told: string[] = [];
    for (const argv of TOLD) {
      const { err, out } = await cluster.dedalus(...argv);
      told.push(...commandsIn(out), ...commandsIn(err));
    }
    assert.ok(told.length >= 6, told.join("\n"));
    const wrong = [];
    for (const line of told) wrong.push(await misunderstood(cluster, line));
    assert.deepEqual(
      wrong.filter((one) => one !== undefined),
      [],
    );
  });
});

test("a next step names the configuration that was named, and none that was found", async () => {
  await atCluster(async ({ dedalus }) => {
    const named = await dedalus("apply", "01KA4QJ5V8R3W2T6Y7Z8N9M0P1", "--config", "dedalus.yaml");
    assert.deepEqual(commandsIn(named.err), ["dedalus plans --config dedalus.yaml"]);
    const found = await dedalus("apply", "01KA4QJ5V8R3W2T6Y7Z8N9M0P1");
    assert.deepEqual(commandsIn(found.err), ["dedalus plans"]);
  });
});

test("a plan from files is narrowed by the same files", () => {
  const spell = spellAfter(["plan", "--replay", "seen it.json", "--desired=d.yaml", "--config", "c.yaml"]);
  assert.equal(
    spell({ ask: "narrow", with: { scope: ["1", "2"] } }),
    "dedalus plan --only 1,2 --desired d.yaml --replay 'seen it.json'",
  );
});

test("one action again is its own command where it has one, with its parameters as they are typed", () => {
  const spell = (action: string, more: object = {}): string =>
    spellAfter(["apply"])({ ask: "planAction", with: { environment: "home", action, vmid: 101, ...more } });
  assert.equal(spell("vm.start"), "dedalus start 101 --env home");
  assert.equal(spell("vm.snapshot.create", { snapshot: "before" }), "dedalus snapshot 101 before --env home");
  assert.equal(
    spell("vm.resize", { cpus: 2, memory: 3 * 2 ** 29 }),
    "dedalus resize 101 --env home --cpus 2 --memory 1536MiB",
  );
  assert.equal(spell("vm.resize", { memory: 2 ** 31 }), "dedalus resize 101 --env home --memory 2GiB");
  assert.equal(spell("vm.delete"), "dedalus plan --env home --action vm.delete --vm 101");
  assert.equal(
    spell("vm.snapshot.rollback", { snapshot: "before" }),
    "dedalus plan --env home --action vm.snapshot.rollback --vm 101 --snapshot before",
  );
});
