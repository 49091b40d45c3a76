// One story at a local ledger and at a service over HTTP, by the same words at the command line, and once more by plain
// requests: the same texts, the same JSON, the same exit codes, and the same records, but for ids, times, and the door
// that they came through.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import canonicalize from "canonicalize";
import { atDesk, type Printed } from "../cli/desk.ts";
import { atCluster, WANTED } from "./cluster.ts";
import { masked, maskedRecords } from "./masked.ts";
import { askRaw, doorFor } from "./raw-http.ts";
import { serveCluster } from "./served-cluster.ts";

type Words = readonly string[];
type Say = (who: string, ...words: Words) => Promise<void>;
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

type Told = {
  /** What programs read: the JSON of an answer, or the codes of what was refused. */
  readonly answers: readonly string[];
  readonly printed: readonly string[];
  readonly records: readonly string[];
};
type Telling = Pick<Told, "answers" | "printed">;
type Team = { readonly folder: string; readonly tokens: ReadonlyMap<string, string> };

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

/** Members in their order by name: none has a place in JSON. */
const canonicalText = (value: object): string => canonicalize(value) ?? assert.fail("it is JSON");

type Refused = { readonly refusals: readonly { readonly code: string }[] };
const answerText = (who: string, words: Words, body: { readonly [member: string]: unknown }): string => {
  const { refusals } = Object(body["error"] ?? body) as Partial<Refused>;
  return `${who} $ ${words.join(" ")} -> ${canonicalText(refusals?.map(({ code }) => code) ?? body)}`;
};

/** By commands, each with the words that say where. */
const tellByCommands = async ({ tokens }: Team, where: Words): Promise<Telling> => {
  const [answers, printed]: [string[], string[]] = [[], []];
  await atDesk(
    {},
    async (bare, desk) => {
      writeFileSync(join(desk, "desired.yaml"), WANTED);
      const run = async (who: string, words: Words): Promise<Printed> => {
        process.env["DEDALUS_TOKEN"] = tokens.get(who) ?? assert.fail(who);
        try {
          const told = await bare(...words, ...where);
          printed.push(`${who} $ ${words.join(" ")} -> ${told.code}\n${told.out}${told.err}`);
          return told;
        } finally {
          delete process.env["DEDALUS_TOKEN"];
        }
      };
      const value: Value = async (who, ...words) => {
        const body = JSON.parse((await run(who, [...words, "--json"])).out);
        answers.push(answerText(who, words, body));
        return body;
      };
      const say: Say = async (who, ...words) => {
        await run(who, words);
        if (READS.has(words[0] ?? "")) await value(who, ...words);
      };
      await tell(say, value);
    },
    { ask: async () => "y" },
  );
  return { answers, printed };
};

const tellByRequests = async ({ tokens }: Team, url: string): Promise<Telling> => {
  const answers: string[] = [];
  const ask = (who: string, words: Words) => askRaw(doorFor(url, tokens.get(who) ?? assert.fail(who)), words, WANTED);
  const value: Value = async (who, ...words) => {
    const { body } = (await ask(who, words)) ?? assert.fail(words.join(" "));
    answers.push(answerText(who, words, body));
    return body;
  };
  const say: Say = async (who, ...words) => {
    await ask(who, words);
    if (READS.has(words[0] ?? "")) await value(who, ...words);
  };
  await tell(say, value);
  return { answers, printed: [] };
};

const WAYS = {
  local: (team) => tellByCommands(team, ["--config", join(team.folder, "dedalus.yaml")]),
  remote: (team) => served(team, (url) => tellByCommands(team, ["--server", url])),
  requests: (team) => served(team, (url) => tellByRequests(team, url)),
} as const satisfies Readonly<Record<string, (team: Team) => Promise<Telling>>>;

const served = async ({ folder }: Team, work: (url: string) => Promise<Telling>): Promise<Telling> => {
  const { stop, url } = await serveCluster(folder);
  try {
    return await work(url);
  } finally {
    await stop();
  }
};

const toldBy = async (way: (team: Team) => Promise<Telling>): Promise<Told> => {
  let [telling, records]: [Telling, readonly object[]] = [{ answers: [], printed: [] }, []];
  await atCluster(async ({ dedalus, folder }) => {
    const tokens = new Map<string, string>();
    for (const [name, role] of Object.entries(TOKENS)) {
      const made = await dedalus("token", "create", "--name", name, "--role", role, "--days", "9", "--json");
      tokens.set(name, JSON.parse(made.out).token);
    }
    telling = await way({ folder, tokens });
    records = JSON.parse((await dedalus("ledger", "show", "--json")).out).records;
  });
  return {
    answers: masked(telling.answers),
    printed: masked(telling.printed),
    records: maskedRecords(records.map((one) => ({ ...one }))),
  };
};

test("the same story gives the same texts, JSON, exit codes and records, here, elsewhere and by plain requests", async () => {
  const here = await toldBy(WAYS.local);
  const there = await toldBy(WAYS.remote);
  assert.ok(here.printed.length > 60, `${here.printed.length}`);
  for (const [at, told] of here.printed.entries()) assert.equal(there.printed[at], told);
  assert.deepEqual(there.records, here.records);

  const raw = await toldBy(WAYS.requests);
  assert.equal(raw.answers.length, here.answers.length);
  for (const [at, told] of here.answers.entries()) assert.equal(raw.answers[at], told);
  assert.deepEqual(raw.records, here.records);
});
