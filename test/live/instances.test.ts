// Three real `dedalus serve` and a local command line on one real PostgreSQL server, while one or another is killed,
// cut off or ended by the server, and the server itself is restarted. `make soak ONLY=instances` goes on for longer.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { startPostgres } from "../../tools/servers/postgres.ts";
import { FIRST_VMID, scenarioFor, wantedFor } from "../../tools/soak/apply-kill.ts";
import { type Instance, type InstanceAnswer, startInstance } from "../../tools/soak/instance.ts";
import { hashIn, operatorToken, runInstances } from "../../tools/soak/instances.ts";
import { atCluster } from "./cluster.ts";

const SEED = 7;
const ROUNDS = 7;

test("P7-F3 the same applies sprayed at three instances and a command line are performed once, whatever breaks", async (context) => {
  const { acknowledged, calls, causes, flaws, wrongs } = await runInstances({
    rounds: ROUNDS,
    seed: SEED,
    settles: false,
  });
  context.diagnostic(JSON.stringify({ acknowledged, calls, causes: [...causes], wrongs: [...wrongs] }));
  assert.deepEqual(flaws, []);
  assert.ok(calls > 0 && (wrongs.get("kill") ?? 0) > 0 && wrongs.size > 2, "enough went wrong, and something was done");
  assert.ok(acknowledged >= 2 * ROUNDS);
});

type Granted = Extract<InstanceAnswer, { readonly kind: "ok" }>;

/** Asked again while the server is away; a test that waits in vain is ended by its runner. */
const untilGranted = async ({ ask }: Instance, request: Parameters<Instance["ask"]>[0]): Promise<Granted> => {
  for (;;) {
    const answer = await ask(request);
    if (answer.kind === "ok") return answer;
    await pause(100);
  }
};

const VMS = 3;

test("a server that is restarted under an instance is reached again, and nothing is lost or sent twice", async () => {
  const server = await startPostgres();
  const clock = { kind: "driven", requestMs: 3_000 } as const;
  const options = { clock, ledgerUrl: await server.database("restarted"), scenario: scenarioFor(VMS) };
  try {
    await atCluster(
      async (cluster) => {
        const { dedalus, folder, mutations } = cluster;
        const instance = await startInstance(folder, await operatorToken(cluster));
        const records: Granted["record"][] = [];
        for (let vmid = FIRST_VMID; vmid < FIRST_VMID + VMS; vmid += 1) {
          const { value } = await untilGranted(instance, { kind: "plan", vmid });
          const plan = String(value["id"]);
          const challenged = await untilGranted(instance, { kind: "challenge", plan });
          const explanation = hashIn(challenged.value);
          const [answer] = await Promise.all([
            instance.ask({ explanation, kind: "apply", plan }),
            pause((vmid - FIRST_VMID) * 40).then(() => server.restart()),
          ]);
          if (answer.kind === "ok") records.push(answer.record);
          records.push((await untilGranted(instance, { kind: "annotate", text: "it goes on" })).record);
        }
        assert.equal(await instance.stop(), "", "it did not fail");
        const shown = JSON.parse((await dedalus("ledger", "show", "--json")).out).records as readonly {
          readonly idempotencyKey: string;
        }[];
        for (const record of records) assert.equal(shown[record?.seq ?? -1]?.idempotencyKey, record?.key);
        assert.equal(new Set(mutations()).size, mutations().length, "no VM was started twice");
        for (const words of [["ledger", "verify"], ["replay"]]) assert.equal((await dedalus(...words)).code, 0);
      },
      { ...options, wanted: wantedFor(VMS) },
    );
  } finally {
    await server.stop();
  }
});
