// An answer that was lost: what is searched for, for how long, and what is made of what is found.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Sent } from "../../../src/adapters/actuator.ts";
import { SEARCH_MAX_MS, SEARCHES } from "../../../src/adapters/proxmox/act/lost-answer.ts";
import { LIMITS, type Limits } from "../../../src/adapters/proxmox/api/connection.ts";
import type { Action } from "../../../src/spine/model.ts";
import { CALM } from "./answers.ts";
import { actuatorFor, intentFor, UPID } from "./intents.ts";
import {
  type Answers,
  empty,
  openProvider,
  refused,
  type TestProvider,
  TOKEN_NAME,
  type Written,
  within,
} from "./provider.ts";

const signal = new AbortController().signal;
const START: Action = { kind: "vm.start" };
const AT_START = "POST /nodes/pve1/qemu/101/status/start";

const mutations = (provider: TestProvider): readonly string[] =>
  provider.asked.filter(({ verb }) => verb !== "GET").map(({ verb, what }) => `${verb} ${what}`);

const after = async (t: TestContext, written: Written, more: Answers = {}, limits = LIMITS): Promise<Sent> => {
  const provider = await openProvider(t, { ...CALM, ...more, [AT_START]: written });
  const sent = await actuatorFor(provider, { limits }).send(intentFor(START), signal);
  assert.equal(mutations(provider).length, 1, "whatever was answered, it was sent once");
  return sent;
};

const LOST: Written = { raw: (response) => response.destroy() };
/** As the platform writes it: Sun, 15 Nov 2026 10:00:00 GMT is 1794736800. */
const tasks = (upids: readonly string[]): Written => ({
  raw: (response) => {
    response.setHeader("date", "Sun, 15 Nov 2026 10:00:00 GMT");
    response.end(JSON.stringify({ data: upids.map((upid) => ({ upid })) }));
  },
});
const listed = (upids: readonly string[]): Answers => ({ "GET /nodes/pve1/tasks": tasks(upids) });
const upidAt = (seconds: number, type = "qmstart", user = TOKEN_NAME, id = 101): string =>
  `UPID:pve1:000003F7:0002929E:${seconds.toString(16).toUpperCase()}:${type}:${id}:${user}:`;
const T0 = 1794736800;

test("truth 20: an answer that is lost is searched for, and the node's own list names what was made of the call", async (t) => {
  const ours = upidAt(T0);
  const sent = await after(
    t,
    LOST,
    listed([
      upidAt(T0 - 60),
      upidAt(T0, "qmstop"),
      upidAt(T0, "qmstart", "root@pam"),
      upidAt(T0, "qmstart", TOKEN_NAME, 102),
      ours,
    ]),
  );
  assert.equal(sent.kind, "found");
  assert.equal(sent.kind === "found" && sent.reference, ours);
});

test("truth 20: a request that HA files in its own name is found as well", async (t) => {
  const sent = await after(t, LOST, listed([upidAt(T0, "hastart")]));
  assert.equal(sent.kind === "found" && sent.reference, upidAt(T0, "hastart"));
});

test("truth 20: where the list names none or more than one, none is taken for ours", async (t) => {
  for (const [upids, last] of [
    [[], { code: "task-not-listed" }],
    [[upidAt(T0), upidAt(T0 + 1)], { code: "tasks-listed", facts: { tasks: 2 } }],
  ] as const) {
    const sent = await after(t, LOST, listed(upids));
    assert.equal(sent.kind, "unknown");
    assert.deepEqual(sent.kind === "unknown" && sent.diagnostics.at(-1), last);
  }
});

test("truth 20: the search goes by the place's clock, not by ours", async (t) => {
  const behind = T0 - 600;
  const provider = await openProvider(t, {
    [AT_START]: LOST,
    "GET /nodes/pve1/tasks": {
      raw: (response) => {
        response.setHeader("date", "Sun, 15 Nov 2026 09:50:00 GMT");
        response.end(JSON.stringify({ data: [{ upid: upidAt(behind) }, { upid: upidAt(behind - 30) }] }));
      },
    },
  });
  const sent = await actuatorFor(provider).send(intentFor(START), signal);
  assert.equal(sent.kind === "found" && sent.reference, upidAt(behind));
});

test("truth 20: an answer that comes after the call might leave is still an answer", async (t) => {
  const leaving = new AbortController();
  const provider = await openProvider(t, {
    [AT_START]: {
      raw: (response) => {
        leaving.abort();
        setTimeout(() => response.end(JSON.stringify({ data: UPID })), 20);
      },
    },
  });
  const sent = await actuatorFor(provider).send(intentFor(START), leaving.signal);
  assert.deepEqual(sent, { kind: "sent", reference: UPID });
});

test("truth 20: the search has a time of its own, after the one in which the call might leave is over", async (t) => {
  const ours = upidAt(T0);
  for (const [lost, limits] of [
    [{ raw: () => undefined }, within({ sendMs: 100 })],
    [empty(596, "Connection timed out"), LIMITS],
  ] as const satisfies readonly (readonly [Written, Limits])[]) {
    const leaving = new AbortController();
    const answer = (): Written => {
      leaving.abort();
      return lost;
    };
    const provider = await openProvider(t, { ...listed([ours]), [AT_START]: answer });
    const sent = await actuatorFor(provider, { limits }).send(intentFor(START), leaving.signal);
    assert.equal(sent.kind === "found" && sent.reference, ours, JSON.stringify(sent));
    assert.equal(mutations(provider).length, 1);
  }
});

test("truth 20: a call that PVE takes up after it has given it up is found when it is there", async (t) => {
  const ours = upidAt(T0);
  let asked = 0;
  const provider = await openProvider(t, {
    [AT_START]: empty(596, "Connection timed out"),
    "GET /nodes/pve1/tasks": () => {
      asked += 1;
      return tasks(asked < 6 ? [] : [ours]);
    },
  });
  const sent = await actuatorFor(provider).send(intentFor(START), signal);
  assert.deepEqual([sent.kind, asked], ["found", 6]);
});

test("truth 20: the search ends, and leaves it unknown", async (t) => {
  for (const [written, searches] of [
    [empty(596, "Connection timed out"), SEARCHES.late],
    [LOST, SEARCHES.cut],
  ] as const) {
    const provider = await openProvider(t, { [AT_START]: written, ...listed([]) });
    assert.equal((await actuatorFor(provider).send(intentFor(START), signal)).kind, "unknown");
    assert.equal(provider.asked.filter(({ what }) => what.startsWith("/nodes/pve1/tasks")).length, searches);
  }
  // Leaving, answering and searching together end long before the shortest settle time, ten minutes.
  assert.ok(30_000 + LIMITS.connectMs + LIMITS.sendMs + SEARCH_MAX_MS + LIMITS.readMs < 5 * 60_000);
});

test("truth 20: an answer that does not come in time is lost, and the call is not repeated", async (t) => {
  const sent = await after(
    t,
    { raw: () => undefined },
    { "GET /nodes/pve1/tasks": refused(500, "no") },
    within({ sendMs: 300 }),
  );
  assert.deepEqual(sent, {
    diagnostics: [
      { code: "answer-lost" },
      { code: "answer-timed-out", facts: { ms: 300 } },
      { code: "task-list-not-read" },
      { code: "http-refusal", facts: { httpStatus: 500 }, said: "no" },
    ],
    kind: "unknown",
  });
});
