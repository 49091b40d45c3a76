// A real `dedalus serve` that is killed under an agent: after the intent is durable and before its call left, and when
// the call has left. Asked again at the one that is started in its place, it answers with the same intent, and the
// provider is called once at most.

import assert from "node:assert/strict";
import { test } from "node:test";
import { headersOf, messageOf, type Told } from "../boundary/mcp/agents.ts";
import { soon } from "../service/bound.ts";
import { atCluster, type Cluster } from "./cluster.ts";
import { type ServeProcess, startServe } from "./serve-process.ts";

const tokenFor = async ({ value }: Cluster, name: string, role: string): Promise<string> => {
  const { token } = await value<{ readonly token?: string }>(
    ...["token", "create", "--name", name, "--role", role, "--expires", "1d"],
  );
  return token ?? assert.fail("it is shown once");
};

const call = async ({ url }: ServeProcess, token: string, name: string, given: object): Promise<Told> => {
  const message = messageOf("tools/call", { arguments: given, name });
  const reply = await fetch(`${url}/mcp`, {
    body: JSON.stringify(message),
    headers: { ...headersOf(message), authorization: `Bearer ${token}`, "content-type": "application/json" },
    method: "POST",
  });
  return ((await reply.json()) as { readonly result: Told }).result;
};

const approve = async ({ url }: ServeProcess, token: string, plan: string): Promise<number> => {
  const { status } = await fetch(`${url}/v1/plans/${plan}/steps/1/approvals`, {
    body: JSON.stringify({ reason: "read and agreed" }),
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "idempotency-key": "01JD2Y8ZC4QW7X9M5T3V6B1K0R",
    },
    method: "POST",
  });
  return status;
};

/** When it is killed: by the method of the first request that the provider has after the apply. */
for (const [when, method, callsMax] of [
  ["the call has left", "POST", 1],
  ["the intent is durable", "GET", 0],
] as const) {
  test(`B6 a service that is killed when ${when} answers an agent with the same intent, and calls no second time`, async () => {
    let isArmed = false;
    let kill: () => void = () => undefined;
    const onRequest = (request: { readonly method: string }): void => {
      if (isArmed && request.method === method) kill();
    };
    await atCluster(
      async (cluster) => {
        const [robo, ada] = [await tokenFor(cluster, "robo", "agent"), await tokenFor(cluster, "ada", "approver")];
        const first = await startServe(cluster.folder, "--listen", "127.0.0.1:0");
        kill = () => void first.child.kill("SIGKILL");
        const action = { action: { kind: "vm.start" }, environment: "home", vm: 101 };
        const { structuredContent: planned } = await call(first, robo, "plan_action", action);
        const plan = planned.answer?.id ?? assert.fail(JSON.stringify(planned));
        assert.equal(await approve(first, ada, plan), 201);
        isArmed = true;
        const step = { plan, step: { number: 1 } };
        // Whether the answer came out before is chance; what it said must hold.
        const [told] = await Promise.allSettled([call(first, robo, "apply_step", step)]);
        await soon("its end", first.ended());
        isArmed = false;
        const second = await startServe(cluster.folder, "--listen", "127.0.0.1:0");
        try {
          const { structuredContent: again } = await call(second, robo, "apply_step", step);
          assert.equal(again.replayed, true, JSON.stringify(again));
          const intent = again.answer?.intent;
          if (told?.status === "fulfilled") assert.equal(told.value.structuredContent.answer?.intent, intent);
          const { structuredContent: shown } = await call(second, robo, "intent_status", { intent });
          assert.notEqual(Object(Object(shown.answer)["end"]).outcome, "succeeded", "nobody saw that it was");
          const { structuredContent: third } = await call(second, robo, "apply_step", step);
          assert.equal(third.answer?.intent, intent);
          assert.ok(cluster.mutations().length <= callsMax, cluster.mutations().join());
        } finally {
          second.child.kill("SIGTERM");
          await second.ended();
        }
      },
      { approval: "four-eyes", onRequest },
    );
  });
}
