// An owner that lost its lock, as a real `dedalus serve` on a real PostgreSQL server: what it claimed is not sent, and
// another process leaves the intent of one that is gone alone as long as a call of it may still be on its way.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startPostgres } from "../../tools/servers/postgres.ts";
import { FIRST_VMID, scenarioFor, wantedFor } from "../../tools/soak/apply-kill.ts";
import { operatorToken } from "../../tools/soak/instances.ts";
import { sql } from "../ledger/postgres-desk.ts";
import { soon } from "../service/bound.ts";
import { applied, atCluster, type Cluster, codesIn, planned, type StatusValue } from "./cluster.ts";
import { type ServeProcess, startServe } from "./serve-process.ts";

const TERMINATE_LOCKS = `SELECT pg_terminate_backend(pid) FROM pg_locks
  WHERE locktype = 'advisory' AND objsubid = 1 AND pid <> pg_backend_pid()`;
const key = (at: number): string => `01KA4QJ5V8R3W2T6Y7Z8N9M0P${at}`;

type Stopped = {
  readonly at: Promise<void>;
  readonly cluster: Cluster;
  readonly served: ServeProcess;
  readonly where: string;
};

/** An apply of the first VM is asked for, and its owner stands still at its first question after the claim. */
const stoppedAfterClaim = async (
  work: (stopped: Stopped, answer: Promise<Response>) => Promise<void>,
): Promise<void> => {
  const server = await startPostgres();
  const where = await server.database("lost");
  let heard: (() => void) | undefined;
  try {
    await atCluster(
      async (cluster) => {
        const token = await operatorToken(cluster);
        const served = await startServe(cluster.folder, "--listen", "127.0.0.1:0");
        const post = (at: number, path: string, body: object): Promise<Response> =>
          fetch(`${served.url}${path}`, {
            body: JSON.stringify(body),
            headers: {
              authorization: `Bearer ${token}`,
              "content-type": "application/json",
              "idempotency-key": key(at),
              prefer: "wait=20",
            },
            method: "POST",
          });
        try {
          const request = { action: { kind: "vm.start" }, vmid: FIRST_VMID };
          const made = (await (await post(1, "/v1/plans", { request, scope: [FIRST_VMID] })).json()) as {
            readonly id: string;
          };
          const shown = (await (await post(2, `/v1/plans/${made.id}/steps/1/challenges`, {})).json()) as {
            readonly challenge: { readonly hash: string };
          };
          const at = new Promise<void>((resolve) => {
            heard = () => {
              heard = undefined;
              served.child.kill("SIGSTOP");
              resolve();
            };
          });
          const confirmation = { explanation: shown.challenge.hash };
          const answer = post(3, `/v1/plans/${made.id}/steps/1/applies`, { confirmation });
          await work({ at, cluster, served, where }, answer);
        } finally {
          served.child.kill("SIGKILL");
          await served.ended();
        }
      },
      {
        clock: { kind: "driven", requestMs: 3_000 },
        ledgerUrl: where,
        onRequest: () => heard?.(),
        scenario: scenarioFor(2),
        wanted: wantedFor(2),
      },
    );
  } finally {
    await server.stop();
  }
};

test("P7-F3 an owner whose session the server ended between its claim and its call sends nothing", async () => {
  await stoppedAfterClaim(async ({ at, cluster, served, where }, answer) => {
    await soon("the claim", at);
    await sql(where, TERMINATE_LOCKS);
    served.child.kill("SIGCONT");
    const { result } = (await (await soon("the outcome", answer)).json()) as {
      readonly result: { readonly cause: string; readonly outcome: string };
    };
    assert.deepEqual([result.outcome, result.cause], ["failed", "owner-lock-lost"]);
    assert.deepEqual(cluster.mutations(), []);
  });
});

test("P7-F2 an intent whose owner is gone stays open while its call may still leave, and no other is sent", async () => {
  await stoppedAfterClaim(async ({ at, cluster, served }, answer) => {
    await soon("the claim", at);
    served.child.kill("SIGKILL");
    await assert.rejects(answer);
    await served.ended();
    const second = await planned(cluster, "vm.start", FIRST_VMID + 1);
    assert.equal((await applied(cluster, second.id)).applied?.[0]?.result.outcome, "succeeded", "others are served");
    const { blocked, open } = await cluster.value<StatusValue>("status");
    assert.deepEqual([open.map(({ vmid }) => vmid), blocked], [[FIRST_VMID], []]);
    const again = await planned(cluster, "vm.start", FIRST_VMID);
    assert.ok(codesIn(await applied(cluster, again.id)).some((code) => code === "vm-busy" || code === "step-claimed"));
    assert.equal(cluster.mutations().length, 1);
  });
});
