// Edges at which one condition alone decides: what proves that nothing happened, what has left, and how large an answer
// may be.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { errorProvesNothing, refusalProvesNothing } from "../../../src/adapters/proxmox/act/proofs.ts";
import { awaitVerdict } from "../../../src/adapters/proxmox/act/verdict.ts";
import { sendOnce } from "../../../src/adapters/proxmox/api/connection.ts";
import { parseUpid } from "../../../src/adapters/proxmox/api/names.ts";
import { type PveReader, readerOf } from "../../../src/adapters/proxmox/api/pve-reader.ts";
import { isProxyError, type PveReply } from "../../../src/adapters/proxmox/api/pve-reply.ts";
import { type ApiToken, tokenOf } from "../../../src/adapters/proxmox/api/pve-token.ts";
import { notAccepted } from "../../../src/adapters/proxmox/examine/examine-cluster.ts";
import { tasksOf } from "../../../src/adapters/proxmox/observe/task-list.ts";
import { Secret } from "../../../src/adapters/secret.ts";
import type { ServerTrust } from "../../../src/dial/trust.ts";
import { addressOf, whyNotConnected } from "../../../src/dial/trust.ts";
import { row, running, stopped } from "./answers.ts";
import { intentFor, UPID } from "./intents.ts";
import { CERTIFICATE, openProvider, TOKEN, type Written, within } from "./provider.ts";

const signal = new AbortController().signal;
const token = tokenOf(new Secret(TOKEN)) as ApiToken;
const PINNED: ServerTrust = { sha256: CERTIFICATE.fingerprint, verify: "pinned" };

test("a text proves that nothing happened only under the status that PVE writes it with, and only from PVE", () => {
  const proves = (status: number, isPve = true): boolean =>
    refusalProvesNothing({ isApi: true, isPve, kind: "refused", status, text: "VM is locked (backup)" });
  assert.ok(proves(500));
  for (const status of [404, 499, 501 + 1, 503, 596]) assert.ok(!proves(status), String(status));
  assert.ok(!proves(500, false), "a proxy's page may quote anything");
  const other = { isApi: true, isPve: true, kind: "refused", status: 500, text: "something else" } as const;
  assert.ok(!refusalProvesNothing(other));
});

test("a hotplug that failed has written something, whatever else a refused parameter proves", () => {
  const proves = (text: string): boolean =>
    refusalProvesNothing({ isApi: true, isPve: true, kind: "refused", status: 400, text });
  assert.ok(proves("Parameter verification failed. memory: value too small"));
  assert.ok(!proves("Parameter verification failed. memory: Hotplug problem - no"));
});

test("a snapshot that a task misses proves nothing where the task asks for it once more at its end", () => {
  const text = "snapshot 'before' does not exist";
  for (const type of ["qmrollback", "vzrollback"]) assert.ok(errorProvesNothing(type, text), type);
  for (const type of ["qmsnapshot", "vzsnapshot", "qmdelsnapshot", "vzdelsnapshot"]) {
    assert.ok(!errorProvesNothing(type, text), type);
    assert.ok(errorProvesNothing(type, "VM is locked (backup)"), type);
  }
});

test("a token is unreachable when nobody answered, and not when it was refused", () => {
  const cause = (reply: Exclude<PveReply, { readonly kind: "data" }>) =>
    notAccepted("observe-token", token, reply).cause;
  assert.equal(cause({ kind: "none", left: true, why: { code: "answer-cut-off" } }), "unreachable");
  assert.equal(cause({ isApi: false, isPve: true, kind: "refused", status: 401, text: "no" }), undefined);
  assert.equal(cause({ kind: "unreadable", why: { code: "answer-web-page" } }), undefined);
});

test("a call that is broken off while its connection is made has not left", async (t) => {
  const provider = await openProvider(t, { "POST /x": { data: null } });
  const send = sendOnce({ limits: within({}), address: addressOf(provider.url), token, trust: PINNED });
  const call = { form: {}, method: "POST", path: "/x" } as const;
  const abort = new AbortController();
  const broken = await send(call, () => assert.fail("nobody is asked any more"), AbortSignal.abort());
  assert.ok(broken.kind === "none" && !broken.left);
  const why = { code: "environment-other" } as const;
  const late = await send(
    call,
    async () => {
      abort.abort();
      return why;
    },
    abort.signal,
  );
  assert.deepEqual(late, { kind: "none", left: false, why });
  const over = new AbortController();
  const asked = async (): Promise<undefined> => {
    over.abort();
  };
  const ended = await send(call, asked, over.signal);
  assert.ok(ended.kind === "none" && !ended.left, "the time to send ended while somebody was asked");
  assert.deepEqual(provider.asked, []);
});

const answered = (data: unknown): PveReply => ({ data, date: undefined, kind: "data" });

/** A task of this type that ended so, on a guest that is in this state. */
const ending = async (type: string, exitstatus: string, state: object) => {
  const task = parseUpid(UPID.replace("qmstart", type)) ?? assert.fail(type);
  let observations = 0;
  const reader: Partial<PveReader> = {
    resources: async () => answered([row(101)]),
    status: async () => {
      observations += 1;
      return answered(state);
    },
    task: async () => answered({ exitstatus, status: "stopped" }),
  };
  const abort = new AbortController();
  const sleep = async (): Promise<void> => abort.abort();
  const own = reader as PveReader;
  const { kind } = await awaitVerdict(task, intentFor({ kind: "vm.start" }), {
    observing: own,
    own,
    signal: abort.signal,
    sleep,
  });
  return { kind, observations };
};

test("the state is waited for after a request that was taken, and after nothing else", async () => {
  assert.deepEqual(await ending("hastart", "OK", running(101)), { kind: "done", observations: 1 });
  assert.deepEqual(await ending("hastart", "OK", stopped(101)), { kind: "unknown", observations: 1 });
  assert.deepEqual(await ending("qmstart", "OK", stopped(101)), { kind: "done", observations: 0 });
  assert.deepEqual(await ending("hastart", "command failed: exit code 2", running(101)), {
    kind: "unknown",
    observations: 0,
  });
});

test("a task that is called like something that every object has is a task like any other", async () => {
  for (const type of ["constructor", "toString", "__proto__"]) {
    assert.deepEqual(await ending(type, "OK", stopped(101)), { kind: "done", observations: 0 }, type);
  }
});

const LIMIT = 64;
const sized = async (t: TestContext, written: Written): Promise<string> => {
  const { url } = await openProvider(t, { "GET /version": written });
  const reader = readerOf({ limits: within({ readBytesMax: LIMIT }), address: addressOf(url), token, trust: PINNED });
  return (await reader.version(signal)).kind;
};
const body = (bytes: number): string => `{"data":"${"x".repeat(bytes - '{"data":""}'.length)}"}`;

test("an answer may be as large as its bound, and not a byte larger, announced or not", async (t) => {
  const announced = (bytes: number): Written => ({
    raw: (response) => {
      response.writeHead(200, { "content-length": String(bytes) });
      response.end(body(bytes));
    },
  });
  const streamed = (bytes: number): Written => ({
    raw: (response) => {
      response.write(body(bytes).slice(0, 10));
      response.end(body(bytes).slice(10));
    },
  });
  for (const written of [announced, streamed]) {
    assert.equal(await sized(t, written(LIMIT)), "data");
    assert.equal(await sized(t, written(LIMIT + 1)), "unreadable");
  }
});

test("an answer that announces too much is turned away before it comes", async (t) => {
  const silent: Written = {
    raw: (response) => {
      response.writeHead(200, { "content-length": String(LIMIT + 1) });
      response.flushHeaders();
    },
  };
  assert.equal(await sized(t, silent), "unreadable");
});

test("an error of PVE's proxy begins at 590", () => {
  assert.deepEqual([589, 590, 595, 599].map(isProxyError), [false, true, true, true]);
});

test("an entry of the task list that cannot be read is nobody's, and the others count", () => {
  const good = { upid: UPID };
  const read = (tasksOf([null, 7, "x", {}, { upid: "x" }, good]) ?? []).map(({ isRunning, task }) => [
    isRunning,
    task.vmid,
  ]);
  assert.deepEqual(read, [[true, 101]]);
  assert.deepEqual(
    (
      tasksOf([
        { ...good, endtime: 1 },
        { ...good, status: "OK" },
        { ...good, status: "RUNNING" },
      ]) ?? []
    ).map(({ isRunning }) => isRunning),
    [false, false, true],
  );
  assert.equal(tasksOf({ data: [] }), undefined);
});

test("why a connection could not be made is told by the code of the platform's error, and what has none is quoted", () => {
  const told = {
    CERT_HAS_EXPIRED: "certificate-expired",
    CERT_NOT_YET_VALID: "certificate-not-yet-valid",
    DEPTH_ZERO_SELF_SIGNED_CERT: "certificate-self-signed",
    ECONNREFUSED: "connection-refused",
    ECONNRESET: "connection-reset",
    EHOSTUNREACH: "host-unreachable",
    ENETUNREACH: "network-unreachable",
    ENOTFOUND: "host-name-unknown",
    EPROTO: "not-tls",
    ERR_SSL_PACKET_LENGTH_TOO_LONG: "not-tls",
    ERR_SSL_WRONG_VERSION_NUMBER: "not-tls",
    ERR_TLS_CERT_ALTNAME_INVALID: "certificate-of-another-name",
    SELF_SIGNED_CERT_IN_CHAIN: "certificate-authority-untrusted",
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "certificate-authority-unknown",
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: "certificate-authority-unknown",
  };
  for (const [code, cause] of Object.entries(told)) {
    assert.deepEqual(whyNotConnected(Object.assign(new Error("no"), { code })), { code: cause }, code);
  }
  assert.deepEqual(whyNotConnected(Object.assign(new Error("no"), { code: "EPERM" })), {
    code: "connection-failed",
    said: "EPERM",
  });
  assert.deepEqual(whyNotConnected(new Error("no")), { code: "connection-failed", said: "no" });
});
