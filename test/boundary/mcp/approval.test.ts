// People are asked outside of the agent's client: by the address of a page. Whatever comes back from the client, the
// step is applied on the record of an approval alone.

import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { openDoor } from "../../../src/boundary/http/door.ts";
import { ownNames } from "../../../src/boundary/http/request-head.ts";
import { agentDoor } from "../../../src/boundary/mcp/serve-mcp.ts";
import { toolsIn } from "../../../src/boundary/mcp/tool-list.ts";
import { readMcpTools } from "../../../src/cli/files/own-files.ts";
import { type AtDoor, atDoor, SEALING_KEY } from "../at-door.ts";
import { type Agent, agentAt, codesIn, headersOf, LEGACY, messageOf, type Rpc, rpcIn } from "./agents.ts";

const URLS = { elicitation: { url: {} } };

const planned = async (agent: Agent): Promise<string> => {
  const { structuredContent } = await agent.call("plan_desired", { scope: "all" });
  return structuredContent.answer?.id ?? assert.fail("it has an answer");
};
const asking = (plan: string) => ({ arguments: { plan, step: { number: 1 } }, name: "request_approval" });
const requests = async ({ served }: AtDoor) =>
  (await served.records()).filter(({ kind }) => kind === "request-approval");

type Asked = {
  readonly inputRequests: Readonly<Record<string, { readonly params: object }>>;
  readonly requestState: string;
};

test("a client that opens addresses is asked to open the page, and its yes approves nothing", async (t) => {
  const door = await atDoor(t);
  const agent = await agentAt(door);
  const plan = await planned(agent);
  const { result } = rpcIn(await agent.ask("tools/call", asking(plan), URLS));
  assert.equal(result?.["resultType"], "input_required");
  const { inputRequests, requestState } = Object(result) as Asked;
  const [question] = Object.values(inputRequests);
  assert.deepEqual(question?.params, {
    message: `A person must decide on step 1 of plan ${plan}. Open the page, read the step, and approve or deny it there.`,
    mode: "url",
    url: `https://dedalus.example/approve/${plan}/1`,
  });
  assert.equal((await requests(door)).length, 1);
  const [id = ""] = Object.keys(inputRequests);
  for (const action of ["accept", "decline", "cancel"]) {
    const said = { inputResponses: { [id]: { action } }, requestState };
    const again = rpcIn(await agent.ask("tools/call", { ...asking(plan), ...said }, URLS));
    const { decide, replayed } = Object(Object(again.result)["structuredContent"]);
    assert.equal(replayed, true, action);
    assert.equal(decide.approvals, 1);
    assert.deepEqual(decide.approvedBy, [], `${action} is nobody's approval`);
  }
  assert.equal((await requests(door)).length, 1, "nothing is recorded twice");
  const refused = await agent.call("apply_step", { plan, step: { number: 1 } });
  assert.deepEqual(codesIn(refused), ["approval-missing"]);
  const approver = { token: await door.tokenFor("ada", ["approver"]) };
  await door.post(`/v1/plans/${plan}/steps/1/approvals`, { reason: "agreed" }, approver);
  assert.equal(door.served.provider.counts.calls, 0, "an approval applies nothing");
  const applied = await agent.call("apply_step", { plan, step: { number: 1 } });
  assert.equal(applied.isError, undefined, JSON.stringify(applied.structuredContent.refused));
});

test("what was sealed counts for its caller, plan and step, and unaltered", async (t) => {
  const door = await atDoor(t);
  const agent = await agentAt(door);
  const plan = await planned(agent);
  const { result } = rpcIn(await agent.ask("tools/call", asking(plan), URLS));
  const { requestState } = Object(result) as Asked;
  const forged = [
    `${requestState.slice(0, -3)}AAA`,
    requestState.replace(/^v1\.(..)/, "v1.ZZ"),
    "v1.e30.AAAA",
    "",
    "accept",
  ];
  for (const one of forged) {
    const { error } = rpcIn(await agent.ask("tools/call", { ...asking(plan), requestState: one }, URLS));
    assert.deepEqual([error?.code, error?.data?.["reason"]], [-32_602, "invalid_request_state"], one);
  }
  const other = await agentAt(door, "other");
  const stolen = rpcIn(await other.ask("tools/call", { ...asking(plan), requestState }, URLS));
  assert.equal(stolen.error?.data?.["reason"], "invalid_request_state");
  const swapped = { arguments: { plan, step: { number: 2 } }, name: "request_approval", requestState };
  assert.equal(rpcIn(await agent.ask("tools/call", swapped, URLS)).error?.data?.["reason"], "invalid_request_state");
  assert.equal((await requests(door)).length, 1);
});

/** Another instance of the service, on the same ledger. */
const instanceOf = async (t: TestContext, { given }: AtDoor, sealingKey: string): Promise<string> => {
  const more = { origin: "https://dedalus.example", tools: toolsIn(readMcpTools()), version: "0.0.0" };
  const agents = agentDoor({ ...given, ...more, sealingKey });
  const door = openDoor({ ...given, agents: agents.serve, names: () => ownNames("127.0.0.1", port, false, undefined) });
  t.after(() => door.close());
  await door.listen({ host: "127.0.0.1", port: 0 });
  const { port } = door.server.address() as AddressInfo;
  return `http://127.0.0.1:${port}/mcp`;
};

test("what one instance sealed, another one with the same key opens, and one with another does not", async (t) => {
  const door = await atDoor(t);
  const agent = await agentAt(door);
  const plan = await planned(agent);
  const { requestState } = Object(rpcIn(await agent.ask("tools/call", asking(plan), URLS)).result) as Asked;
  const ask = async (sealingKey: string) => {
    const message = messageOf("tools/call", { ...asking(plan), requestState }, URLS);
    const url = await instanceOf(t, door, sealingKey);
    const reply = await fetch(url, {
      body: JSON.stringify(message),
      headers: { ...headersOf(message), authorization: `Bearer ${agent.token}`, "content-type": "application/json" },
      method: "POST",
    });
    return (await reply.json()) as Rpc;
  };
  assert.equal(Object((await ask(SEALING_KEY)).result)["structuredContent"].replayed, true);
  assert.equal(
    (await ask("the key of another installation, as long")).error?.data?.["reason"],
    "invalid_request_state",
  );
});

test("a client that opens none is told the address and who must decide, and never given a form", async (t) => {
  const door = await atDoor(t);
  const agent = await agentAt(door);
  const plan = await planned(agent);
  for (const capabilities of [{}, { elicitation: {} }, { elicitation: { form: {} } }]) {
    const { structuredContent } = await agent.call("request_approval", { plan, step: { number: 1 } }, capabilities);
    const { decide } = Object(structuredContent);
    assert.equal(decide.url, `https://dedalus.example/approve/${plan}/1`);
    assert.equal(decide.role, "approver");
    assert.equal(decide.environment, "home");
    assert.equal(decide.approvals, 1);
    assert.match(decide.explanation, /^[0-9a-f]{64}$/);
  }
  const legacy = await agent.callLegacy("request_approval", { plan, step: { number: 1 } });
  assert.equal(Object(legacy.structuredContent).decide.url, `https://dedalus.example/approve/${plan}/1`);
  assert.equal((await requests(door)).length, 1);
});

test("a client of 2025-11-25 that opens addresses is given the error that says so, once", async (t) => {
  const door = await atDoor(t);
  const agent = await agentAt(door);
  const plan = await planned(agent);
  const clientInfo = { name: "test", version: "0" };
  const begun = await agent.askLegacy("initialize", { capabilities: URLS, clientInfo, protocolVersion: LEGACY });
  const session = { "mcp-session-id": begun.headers.get("mcp-session-id") ?? assert.fail("it has a name") };
  const { error } = rpcIn(await agent.askLegacy("tools/call", asking(plan), session));
  assert.equal(error?.code, -32_042);
  const [elicitation] = Object(error?.data)["elicitations"];
  assert.equal(elicitation.mode, "url");
  assert.equal(elicitation.url, `https://dedalus.example/approve/${plan}/1`);
  const again = await agent.callLegacy("request_approval", { plan, step: { number: 1 } }, session);
  assert.equal(again.structuredContent.replayed, true);
  assert.equal((await requests(door)).length, 1);
  const plain = await agent.askLegacy("initialize", { capabilities: {}, clientInfo, protocolVersion: LEGACY });
  assert.equal(plain.headers.get("mcp-session-id"), null);
});
