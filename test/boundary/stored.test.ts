// What is stored, over HTTP: what is registered, what the anchor holds, and blobs by their digest, each for whoever may
// see it and as it was recorded.

import assert from "node:assert/strict";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { now } from "../../src/clock.ts";
import { configToRecord } from "../../src/formats/dedalus/config-to-record.ts";
import { ulids } from "../../src/ids.ts";
import { START_WORDS, startRequest } from "../../src/kernel/command/program.ts";
import { commandOf } from "../../src/kernel/command-desk.ts";
import { noteText, readNotes } from "../../src/ledger/anchor/anchor.ts";
import { challenge } from "../../src/service/act/decisions.ts";
import { proveCaller } from "../../src/service/hold/callers.ts";
import { closeDesk, openDesk } from "../../src/service/hold/open-ledger.ts";
import { holdLedger, sessionAt } from "../../src/service/hold/session.ts";
import { turns } from "../../src/service/hold/turns.ts";
import type { SchemaDocument } from "../../src/service/remote/fits-schema.ts";
import { remoteService } from "../../src/service/remote/remote-service.ts";
import type { SendPort } from "../../src/service/remote/send.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { recordedWords } from "../../src/spine/words/recorded-words.ts";
import { CATALOGUE } from "../../src/spine/words/words-catalogue.ts";
import { servicePorts } from "../../src/wire.ts";
import { cannot } from "../cannot.ts";
import { OPERATOR, ok } from "../service/serving.ts";
import { reworded } from "../spine/reworded.ts";
import { type AtDoor, atDoor, refusedWith } from "./at-door.ts";

const AWAY = `  away:
    adapter: replay
    path: current.json
    approval: single-operator
    maxObservationAge: 5 min
    desired: away.yaml
`;

type Desired = {
  readonly desiredDigest?: string;
  readonly environment: string;
  readonly id?: string;
  readonly registeredEntries: readonly object[];
};

const desiredAt = async ({ get, token }: AtDoor, environment: string): Promise<Desired> =>
  (await get(`/v1/environments/${environment}/desired`, { token })).body as Desired;

test("what is registered is told with its record and its digest, and what is not, without", async (t) => {
  const door = await atDoor(t, { more: AWAY });
  const { desiredDigest, id, ...shown } = await desiredAt(door, "home");
  const registered = (await door.served.records()).find(({ kind }) => kind === "register");
  assert.equal(id, registered?.auditId);
  assert.deepEqual(registered?.blobs, [desiredDigest]);
  assert.deepEqual(shown, {
    environment: "home",
    registeredEntries: [{ name: "web-01", target: "running", vmid: 101 }],
  });
  assert.deepEqual(await desiredAt(door, "away"), { environment: "away", registeredEntries: [] });
});

test("the anchor's checkpoints come a page at a time, the newest first asked for, and for auditors of the whole", async (t) => {
  const door = await atDoor(t, { more: AWAY });
  const token = await door.tokenFor("ada", ["auditor"]);
  for (const _ of [1, 2, 3]) await door.post("/v1/checkpoints");
  type Listed = {
    readonly anchoredCount: number;
    readonly firstNote: number;
    readonly newestCheckpoint: { readonly note: string; readonly size: number };
    readonly signedCheckpoints: readonly { readonly note: string; readonly size: number }[];
  };
  const { anchoredCount, firstNote, newestCheckpoint, signedCheckpoints } = (
    await door.get("/v1/checkpoints", { token })
  ).body as Listed;
  assert.equal(anchoredCount, door.served.notes());
  assert.deepEqual([firstNote, signedCheckpoints.length], [0, anchoredCount]);
  assert.deepEqual(signedCheckpoints.at(-1), newestCheckpoint);
  assert.equal(newestCheckpoint.size, (await door.served.records()).length);
  const behind = (await door.get(`/v1/checkpoints?from=${anchoredCount - 1}`, { token })).body as Listed;
  assert.deepEqual(behind.signedCheckpoints, [newestCheckpoint]);
  const beyond = (await door.get(`/v1/checkpoints?from=${anchoredCount + 7}`, { token })).body as Listed;
  assert.deepEqual([beyond.signedCheckpoints, beyond.newestCheckpoint], [[], newestCheckpoint]);
  const bob = await door.tokenFor("bob", ["approver"]);
  assert.deepEqual(refusedWith(await door.get("/v1/checkpoints", { token: bob })).slice(0, 2), [403, "role-missing"]);
  const awan = await door.tokenFor("awan", ["auditor"], ["away"]);
  assert.deepEqual(refusedWith(await door.get("/v1/checkpoints", { token: awan })).slice(0, 2), [
    403,
    "role-elsewhere",
  ]);
});

test("an anchor of several pages is listed page by page, and goes on where it grows", async (t) => {
  const door = await atDoor(t);
  const token = await door.tokenFor("ada", ["auditor"]);
  type Listed = {
    readonly anchoredCount: number;
    readonly firstNote: number;
    readonly newestCheckpoint: { readonly note: string };
    readonly signedCheckpoints: readonly { readonly note: string }[];
  };
  const listed = async (query = ""): Promise<Listed> =>
    (await door.get(`/v1/checkpoints${query}`, { token })).body as Listed;
  const { newestCheckpoint } = await listed();
  const path = join(door.served.folder, "anchor/checkpoints.txt");
  appendFileSync(path, noteText(newestCheckpoint.note).repeat(230));
  await door.post("/v1/checkpoints");
  const { notes } = readNotes(path);
  assert.ok(notes.length > 230);
  for (const from of [undefined, 0, 100, 200, notes.length]) {
    const found = await listed(from === undefined ? "" : `?from=${from}`);
    const first = from ?? notes.length - 100;
    assert.deepEqual([found.anchoredCount, found.firstNote], [notes.length, first]);
    assert.equal(found.newestCheckpoint.note, notes.at(-1));
    assert.deepEqual(
      found.signedCheckpoints.map(({ note }) => note),
      notes.slice(first, first + 100),
    );
  }
});

test("a blob is what was stored, is of its digest for ever, and is asked for again by its tag", async (t) => {
  const door = await atDoor(t);
  const { desiredDigest = "" } = await desiredAt(door, "home");
  const reply = await door.get(`/v1/blobs/${desiredDigest}`);
  assert.equal(reply.status, 200);
  assert.equal(sha256(reply.text), desiredDigest);
  assert.match(reply.headers.get("content-type") ?? "", /^application\/json/);
  assert.match(reply.headers.get("cache-control") ?? "", /private.*immutable/);
  assert.equal(reply.headers.get("etag"), `"${desiredDigest}"`);
  const again = await door.get(`/v1/blobs/${desiredDigest}`, { headers: { "if-none-match": `"${desiredDigest}"` } });
  assert.deepEqual([again.status, again.text], [304, ""]);
  assert.deepEqual(refusedWith(await door.get(`/v1/blobs/${sha256("nothing")}`)), [404, "usage", "blob-unknown"]);
  assert.deepEqual(refusedWith(await door.get("/v1/blobs/x")).slice(0, 2), [400, "request-unfit"]);
});

/** What is objected to when somebody with a role in one environment reads what home registered. */
const readBy = async (environment: string): Promise<readonly { readonly rule: string }[]> => {
  const endings: (() => Promise<void>)[] = [];
  try {
    const door = await atDoor({ after: (end) => void endings.unshift(end) }, { more: AWAY });
    const { desiredDigest = "" } = await desiredAt(door, "home");
    const token = await door.tokenFor("nora", ["auditor", "operator"], [environment]);
    // What somebody types about a digest names nothing.
    await door.post("/v1/annotations", { environment, text: `"${desiredDigest}"` }, { token });
    const tag = { headers: { "if-none-match": `"${desiredDigest}"` }, token };
    const [reply, tagged] = [
      await door.get(`/v1/blobs/${desiredDigest}`, { token }),
      await door.get(`/v1/blobs/${desiredDigest}`, tag),
    ];
    const never = await door.get(`/v1/blobs/${sha256("nothing")}`, { token });
    if (reply.status === 200) return [];
    assert.deepEqual([refusedWith(reply), tagged.status], [refusedWith(never), 404], "as what does not exist");
    return [{ rule: "B3" }];
  } finally {
    for (const end of endings) await end();
  }
};

cannot("B3", "read a blob of another environment by its digest", {
  neighbour: () => readBy("home"),
  offence: () => readBy("away"),
});

/** What is objected to when an approver of home reads a blob, having named it as the words that a step was shown in. */
const readAsWords = async (of: "away" | "program"): Promise<readonly { readonly rule: string }[]> => {
  const endings: (() => Promise<void>)[] = [];
  try {
    const door = await atDoor({ after: (end) => void endings.unshift(end) }, { more: AWAY });
    const text = "version: 1\nenvironment: away\nvms: [{ vmid: 201, name: db-01, target: running }]\n";
    const registered = await door.post("/v1/environments/away/desired", { desired: { file: "away.yaml", text } });
    assert.equal(registered.status, 201, registered.text);
    const { desiredDigest = "" } = await desiredAt(door, "away");
    const made = await door.post("/v1/plans", { environment: "home", scope: "all" });
    const { id: plan } = made.body as { readonly id: string };
    const digest = of === "away" ? desiredDigest : START_WORDS;
    const token = await door.tokenFor("nora", ["approver", "auditor", "operator"], ["home"]);
    const step = `/v1/plans/${plan}/steps/1`;
    const said = { reason: "as agreed", words: digest };
    const approved = await door.post(`${step}/approvals`, said, { token });
    assert.equal(approved.status, of === "away" ? 409 : 201, approved.text);
    const { body } = (await door.served.records()).at(-1) ?? assert.fail("it is recorded");
    assert.equal((body as { readonly words?: string }).words, digest, "also where it is refused");
    return (await door.get(`/v1/blobs/${digest}`, { token })).status === 200 ? [] : [{ rule: "B3" }];
  } finally {
    for (const end of endings) await end();
  }
};

cannot("B3", "read a blob of another environment by naming it as the words of an approval", {
  neighbour: () => readAsWords("program"),
  offence: () => readAsWords("away"),
});

const documents = (file: string): SchemaDocument =>
  JSON.parse(readFileSync(new URL(`../../schemas/${file}`, import.meta.url), "utf8"));

const OTHER = recordedWords(reworded(CATALOGUE));

/** The step is challenged by a program with other words than this one's. */
const challengeInOtherWords = async ({ served: { configuration } }: AtDoor, plan: string): Promise<void> => {
  const ports = {
    ...servicePorts(),
    configured: () => ({ kind: "ok", value: configuration }) as const,
    hears: { note: () => undefined, recovered: () => undefined },
    version: "2.0.0",
  };
  const opened = await openDesk({ configuration, mode: "write", ports });
  assert.ok(opened.kind === "open");
  const held = await holdLedger(opened, turns(), "one-request");
  const { config, policies } = configuration;
  const kernel = { ...held.kernel, words: OTHER.digest };
  const request = { ...startRequest(configToRecord(config, policies), "2.0.0"), words: OTHER.digest };
  await held.writer.submit(commandOf(kernel, request, { given: { words: OTHER.text } }));
  const known = { floor: held.writer.chain().floor, state: held.writer.state() };
  const caller = proveCaller(OPERATOR, known, config.operator, ports.clock.now());
  assert.ok("grants" in caller);
  const session = sessionAt({ ...held, kernel }, caller, undefined, () => undefined);
  ok(await challenge.perform(session, { plan, step: { number: 1 } }));
  await held.writer.close();
  await held.disown();
  await closeDesk(opened);
};

const portTo = ({ url }: AtDoor, token: string): SendPort => ({
  send: async ({ path }) => {
    const reply = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    const bytes = new Uint8Array(await reply.arrayBuffer());
    return { bytes, header: (name) => reply.headers.get(name) ?? undefined, kind: "whole", status: reply.status };
  },
  server: url,
  stream: () => assert.fail("nothing is streamed"),
});

test("a step is shown elsewhere in the words in which it was read, whichever program had them", async (t: TestContext) => {
  const door = await atDoor(t, { more: AWAY });
  const made = await door.post("/v1/plans", { environment: "home", scope: "all" });
  const { id: plan } = made.body as { readonly id: string };
  await challengeInOtherWords(door, plan);
  const at = { documents, newKey: ulids(), now, pause: async () => undefined };
  const shownTo = async (name: string, environment: string) => {
    const port = portTo(door, await door.tokenFor(name, ["auditor"], [environment]));
    const remote = remoteService({ ...at, port });
    return remote.explain(OPERATOR, { plan, step: { number: 1 }, words: "as-shown" });
  };
  const { asShown } = ok(await shownTo("nora", "home")).value;
  assert.equal(asShown?.words, OTHER.digest);
  assert.deepEqual(asShown?.catalogue, reworded(CATALOGUE));
  const elsewhere = await shownTo("awan", "away");
  assert.ok(elsewhere.kind === "refused" && elsewhere.refusals.some(({ cause }) => cause === "step-not-shown"));
});
