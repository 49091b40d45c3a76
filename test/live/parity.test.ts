// One story at a local ledger and at a service over HTTP, by the same words at the command line: the same texts, the
// same JSON, the same exit codes, and the same records, but for ids, times, and the door that they came through.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { atDesk, type Printed } from "../cli/desk.ts";
import { atCluster, WANTED } from "./cluster.ts";
import { masked, maskedRecords } from "./masked.ts";
import { serveCluster } from "./served-cluster.ts";

type Words = readonly string[];
type Say = (who: string, ...words: Words) => Promise<Printed>;
/** What is printed with --json, for the words that follow. */
type Value = (who: string, ...words: Words) => Promise<{ readonly [member: string]: unknown }>;

const TOKENS: Readonly<Record<string, string>> = {
  bob: "approver",
  carol: "observer",
  olga: "operator,observer,auditor",
  robo: "agent",
};

/** Register, observe, plan, approve by a second person, apply, deny, freeze, tokens, history, the ledger itself. */
const tell = async (say: Say, value: Value): Promise<void> => {
  for (const words of [["register", "desired.yaml"], ["observe"], ["list"], ["drift"], ["tokens"]])
    await say("olga", ...words);
  await say("carol", "observe");
  const { id } = await value("olga", "plan");
  const plan = String(id);
  for (const words of [["plan"], ["plans"], ["plan", "show", plan], ["explain", plan, "--step", "1"], ["status"]])
    await say("olga", ...words);
  await say("olga", "request-approval", plan);
  await say("bob", "approve", plan, "--reason", "agreed in the meeting");
  await say("bob", "approve", plan, "--step", "7", "--reason", "agreed");
  await say("bob", "revoke", plan, "--reason", "circumstances changed");
  await say("olga", "apply", plan);
  await say("olga", "apply", plan);
  await say("olga", "explain", plan, "--step", "1", "--as-shown");
  await say("olga", "status");
  await say("olga", "stop", "102");
  const stop = await value("olga", "plan", "--action", "stop", "--vm", "batch-01");
  const second = String(stop["id"]);
  await say("bob", "deny", second, "--reason", "not during business hours");
  await say("olga", "apply", second);
  await say("olga", "cancel", second, "--reason", "no longer needed");
  const again = String((await value("olga", "plan", "--action", "stop", "--vm", "batch-01"))["id"]);
  await say("olga", "status");
  await say("bob", "approve", again, "--reason", "now it may");
  await say("olga", "freeze", "--env", "home", "--reason", "incident 42");
  await say("olga", "status", "--vm", "102");
  await say("olga", "reboot", "105");
  await say("olga", "unfreeze", "--env", "home", "--reason", "incident 42 is over");
  await say("olga", "unfreeze", "--env", "home", "--reason", "incident 42 is over");
  const asked = String((await value("robo", "plan", "--action", "shutdown", "--vm", "105"))["id"]);
  await say("robo", "apply", asked);
  await say("robo", "approve", asked, "--reason", "I am sure");
  await say("bob", "approve", asked, "--reason", "agreed");
  await say("robo", "apply", asked);
  for (const words of [
    ["history", "105"],
    ["history", "nobody"],
    ["plan", "--only", "105"],
    ["reconcile", "--vm", "105"],
  ])
    await say("olga", ...words);
  await say("olga", "token", "create", "--name", "dora", "--role", "observer", "--days", "9");
  await say("olga", "token", "list");
  await say("olga", "token", "revoke", "--name", "dora");
  await say("olga", "token", "revoke", "--name", "dora");
  for (const words of [
    ["ledger", "show", "--kind", "approve"],
    ["ledger", "show", "--kind", "nonsense"],
    ["ledger", "prove", "3", "--out", "3.tlog-proof"],
    ["ledger", "export", "--out", "audit"],
    ["ledger", "verify"],
    ["ledger", "checkpoint"],
    ["replay"],
    ["state", "--at", "4"],
    ["state", "--at", "99999"],
    ["import"],
  ])
    await say("olga", ...words);
};

type Told = { readonly printed: readonly string[]; readonly records: readonly string[] };

/** Each command is said once for people and once for programs where it changes nothing; else once. */
const READS: ReadonlySet<string> = new Set([
  "drift",
  "explain",
  "history",
  "list",
  "plans",
  "status",
  "whoami",
  "import",
]);

const tellAt = async (place: "local" | "service"): Promise<Told> => {
  const printed: string[] = [];
  let records: readonly object[] = [];
  await atCluster(
    async ({ dedalus, folder }) => {
      const tokens = new Map<string, string>();
      for (const [name, role] of Object.entries(TOKENS)) {
        const made = await dedalus("token", "create", "--name", name, "--role", role, "--days", "9", "--json");
        tokens.set(name, JSON.parse(made.out).token);
      }
      const served = place === "service" ? await serveCluster(folder) : undefined;
      const where = served === undefined ? ["--config", join(folder, "dedalus.yaml")] : ["--server", served.url];
      try {
        await atDesk(
          {},
          async (bare, desk) => {
            writeFileSync(join(desk, "desired.yaml"), WANTED);
            const run = async (who: string, words: Words): Promise<Printed> => {
              process.env["DEDALUS_TOKEN"] = tokens.get(who) ?? assert.fail(who);
              try {
                return await bare(...words, ...where);
              } finally {
                delete process.env["DEDALUS_TOKEN"];
              }
            };
            const note = (who: string, words: Words, { code, err, out }: Printed): void => {
              printed.push(`${who} $ ${words.join(" ")} -> ${code}\n${out}${err}`);
            };
            const say: Say = async (who, ...words) => {
              const told = await run(who, words);
              note(who, words, told);
              if (READS.has(words[0] ?? "")) note(who, [...words, "--json"], await run(who, [...words, "--json"]));
              return told;
            };
            const value: Value = async (who, ...words) => {
              const told = await run(who, [...words, "--json"]);
              note(who, [...words, "--json"], told);
              return JSON.parse(told.out);
            };
            await tell(say, value);
          },
          { ask: async () => "y" },
        );
      } finally {
        await served?.stop();
      }
      const shown = await dedalus("ledger", "show", "--json");
      records = JSON.parse(shown.out).records;
    },
    { approval: "single-operator" },
  );
  return { printed: masked(printed), records: maskedRecords(records.map((one) => ({ ...one }))) };
};

test("the same story gives the same texts, JSON, exit codes and records, here and over HTTP", async () => {
  const here = await tellAt("local");
  const there = await tellAt("service");
  assert.ok(here.printed.length > 60, `${here.printed.length}`);
  for (const [at, told] of here.printed.entries()) assert.equal(there.printed[at], told);
  assert.deepEqual(there.records, here.records);
});
