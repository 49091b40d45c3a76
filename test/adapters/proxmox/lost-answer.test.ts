// An answer that was lost: what is searched for, for how long, and what is made of what is found.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Sent } from "../../../src/adapters/actuator.ts";
import { SEARCH_MAX_MS, SEARCHES, searchTasks } from "../../../src/adapters/proxmox/act/lost-answer.ts";
import { LIMITS, type Limits } from "../../../src/adapters/proxmox/api/connection.ts";
import type { PveReader } from "../../../src/adapters/proxmox/api/pve-reader.ts";
import type { Action, Instant } from "../../../src/spine/model.ts";
import { mayLeave } from "../may-leave.ts";
import { CALM, NOW } from "./answers.ts";
import { AT_PVE1, actuatorFor, codesOf, intentFor, UPID } from "./intents.ts";
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
  const sent = await actuatorFor(provider, { limits }).send(intentFor(START), signal, mayLeave);
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
  assert.ok(sent.kind === "found");
  assert.equal(sent.reference, ours);
  assert.equal(codesOf(sent), "answer-lost, connection-lost, task-listed");
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
  const sent = await actuatorFor(provider).send(intentFor(START), signal, mayLeave);
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
  const sent = await actuatorFor(provider).send(intentFor(START), leaving.signal, mayLeave);
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
    const sent = await actuatorFor(provider, { limits }).send(intentFor(START), leaving.signal, mayLeave);
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
  const sent = await actuatorFor(provider).send(intentFor(START), signal, mayLeave);
  assert.deepEqual([sent.kind, asked], ["found", 6]);
});

test("truth 20: the search ends, and leaves it unknown", async (t) => {
  for (const [written, searches] of [
    [empty(596, "Connection timed out"), SEARCHES.late],
    [LOST, SEARCHES.cut],
  ] as const) {
    const provider = await openProvider(t, { [AT_START]: written, ...listed([]) });
    assert.equal((await actuatorFor(provider).send(intentFor(START), signal, mayLeave)).kind, "unknown");
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

test("what began in the second before the call may be ours, within the rounding of two clocks, and not before", async (t) => {
  for (const [before, kind] of [
    [2, "found"],
    [3, "unknown"],
  ] as const) {
    assert.equal((await after(t, LOST, listed([upidAt(T0 - before)]))).kind, kind);
  }
});

test("a list without a date is read by our own clock", async (t) => {
  const undated = (upid: string): Answers => ({
    "GET /nodes/pve1/tasks": {
      raw: (response) => {
        response.sendDate = false;
        response.end(JSON.stringify({ data: [{ upid }] }));
      },
    },
  });
  const found = async (seconds: number): Promise<string> => {
    const provider = await openProvider(t, { ...undated(upidAt(seconds)), [AT_START]: LOST });
    let reads = 0;
    const now = (): Instant => {
      reads += 1;
      return (reads < 3 ? "2026-11-15T10:00:00.000Z" : "2026-11-15T10:00:20.000Z") as Instant;
    };
    return (await actuatorFor(provider, { now }).send(intentFor(START), signal, mayLeave)).kind;
  };
  assert.deepEqual([await found(T0 - 2), await found(T0 - 3)], ["found", "unknown"]);
});

test("the list is asked for what began up to an hour before, and at most fifty of it", async (t) => {
  const provider = await openProvider(t, { [AT_START]: LOST, ...listed([upidAt(T0)]) });
  await actuatorFor(provider).send(intentFor(START), signal, mayLeave);
  assert.deepEqual(
    provider.asked.filter(({ verb }) => verb === "GET").map(({ what }) => what),
    [`/nodes/pve1/tasks?source=all&limit=50&vmid=101&since=${T0 - 3600}`],
  );
});

test("how often, how long and in which steps is searched", async (t) => {
  assert.deepEqual([SEARCHES, SEARCH_MAX_MS], [{ answered: 1, cut: 2, late: 10 }, 60_000]);
  const abort = new AbortController();
  const timeout = t.mock.method(AbortSignal, "timeout", () => abort.signal);
  const tasks: PveReader["tasks"] = async () => {
    assert.ok(!abort.signal.aborted, "the time is over");
    return { data: [], date: undefined, kind: "data" };
  };
  const waits: number[] = [];
  const sent = await searchTasks({
    diagnostics: [],
    guest: AT_PVE1,
    how: "late",
    kind: "vm.start",
    now: () => NOW,
    reader: { tasks } as Partial<PveReader> as PveReader,
    sentAt: NOW,
    sleep: async (ms) => {
      waits.push(ms);
      if (waits.length === 2) abort.abort();
    },
    tokenName: TOKEN_NAME,
  });
  assert.deepEqual(sent, { diagnostics: [{ code: "task-not-listed" }], kind: "unknown" });
  assert.deepEqual(waits, [3000, 3000]);
  assert.deepEqual(timeout.mock.calls[0]?.arguments, [60_000]);
});

test("an answer that ran late is searched for longer than one that was cut off", async (t) => {
  const searches = async (written: Written, limits = LIMITS): Promise<number> => {
    const provider = await openProvider(t, { [AT_START]: written, ...listed([]) });
    await actuatorFor(provider, { limits }).send(intentFor(START), signal, mayLeave);
    return provider.asked.filter(({ verb }) => verb === "GET").length;
  };
  assert.equal(await searches({ raw: () => undefined }, within({ sendMs: 100 })), 10);
  assert.equal(await searches(refused(503, "Service Unavailable")), 2);
  assert.equal(await searches(refused(500, "start failed")), 1);
});

test("what became of a call is told with what PVE said of it", async (t) => {
  const told = async (written: Written): Promise<string> => {
    const sent = await after(t, written, listed([]));
    return "diagnostics" in sent ? `${sent.kind}: ${codesOf(sent)}` : sent.kind;
  };
  assert.equal(await told(refused(500, "VM is locked (backup)")), "failed: call-refused");
  assert.equal(await told(refused(500, "start failed")), "refused: call-refused");
  assert.equal(await told(refused(503, "no")), "unknown: answer-inconclusive, task-not-listed");
  assert.equal(
    await told({ raw: (response) => void response.end("<html>") }),
    "unknown: answer-unreadable, answer-web-page, task-not-listed",
  );
});
