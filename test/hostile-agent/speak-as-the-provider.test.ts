// A provider, or whoever names a VM there, that speaks to an agent: by names, tags, locks, errors and what was not
// seen. Whatever it says stays in a field that is named as its own; no sentence of ours repeats it.

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { toolResult } from "../../src/boundary/mcp/tool-result.ts";
import { INSTRUCTIONS } from "../../src/boundary/mcp/tool-words.ts";
import { refusedByKernel } from "../../src/service/answer.ts";
import { refuse } from "../../src/spine/rules/refusals.ts";
import { hasInvisible } from "../../src/spine/values/invisible.ts";
import { newKey } from "../boundary/at-door.ts";
import { type Agent, rpcIn, type Structured, type Told } from "../boundary/mcp/agents.ts";
import { untilEnded } from "./hostile.ts";
import { MARK, newPoison, poisoned, poisoning } from "./poison.ts";
import { approvedBy, atStep, planBy, type Stage, stageOf, tool } from "./stage.ts";

type Text = { readonly field: string; readonly text: string };

/** Every text of a value, and the names of its members, each with its field. */
const textsIn = (value: unknown, field = ""): readonly Text[] => {
  if (typeof value === "string") return [{ field, text: value }];
  if (Array.isArray(value)) return value.flatMap((one) => textsIn(one, `${field}[]`));
  return Object.entries(Object(value)).flatMap(([name, one]) => [
    { field: "the name of a member", text: name },
    ...textsIn(one, field === "" ? name : `${field}.${name}`),
  ]);
};

const TEXT_MAX = 2_000;

/** The fields in which a provider speaks; each is named as its own, visible and bounded. */
const spokenIn = (structured: object): readonly string[] => {
  const { fromProvider } = structured as Structured;
  const spoken = textsIn(structured).filter(({ text }) => text.includes(MARK));
  for (const { field, text } of textsIn(structured)) {
    assert.ok(text.length <= TEXT_MAX, `${field} has ${text.length} characters`);
    assert.ok(!hasInvisible(text), field);
  }
  const fields = [...new Set(spoken.map(({ field }) => field))];
  assert.deepEqual(
    fields.filter((field) => !fromProvider.includes(field)),
    [],
    "a provider speaks in a field that is not named as its own",
  );
  return fields;
};

const spokenBy = async (agent: Agent, name: string, given: object = {}): Promise<readonly string[]> => {
  const { content, structuredContent } = rpcIn(await tool(agent, name, given)).result as Told;
  assert.deepEqual(content, [{ text: JSON.stringify(structuredContent), type: "text" }], "the text is the same JSON");
  return spokenIn(structuredContent);
};

suite("a provider that speaks to an agent", () => {
  const poison = newPoison();
  const stage = stageOf({ between: poisoning(poison) });

  const poisons: Readonly<Record<string, readonly [what: (vm: number) => void, spoken: readonly string[]]>> = {
    "a lock": [(vm) => poison.blocked.add(vm), ["lock", "said"]],
    "a name": [(vm) => poison.renamed.add(vm), ["observedName"]],
    "a node and its error": [(vm) => poison.doubted.add(vm), ["lastReport", "node", "said"]],
  };
  for (const [what, [add, facts]] of Object.entries(poisons)) {
    test(`P7-F1 cannot speak by ${what} in a plan or its explanation, but in a field of its own`, async () => {
      const { freshVm, robo } = stage();
      const vm = freshVm();
      add(vm);
      const action = { action: { kind: "vm.start" }, environment: "home", vm };
      const answers = facts.map((fact) => `answer.plan.answers[].facts.${fact}`);
      assert.deepEqual(await spokenBy(robo, "plan_action", action), answers);
      const plan = await planBy(robo, vm);
      assert.deepEqual(await spokenBy(robo, "plan_status", { plan }), answers);
      const explained = ["answer.explanation.facts", "answer.explanation.rules[].refusal.facts"];
      assert.deepEqual(
        await spokenBy(robo, "explain_step", { plan, step: { vmid: vm } }),
        explained.flatMap((at) => facts.map((fact) => `${at}.${fact}`)),
      );
      const { contents } = rpcIn(await robo.ask("resources/read", { uri: `dedalus://plans/${plan}` })).result ?? {};
      assert.deepEqual(spokenIn(JSON.parse(contents?.[0]?.text ?? "")), answers);
    });
  }

  const told = async ({ robo }: Stage, vm: number) => {
    const scope = [vm];
    return {
      observed: await spokenBy(robo, "observe", { environment: "home" }),
      planned: await spokenBy(robo, "plan_desired", { environment: "home", scope }),
    };
  };
  test("P7-F1 cannot speak by what was not seen, but in a field of its own", async () => {
    const at = stage();
    poison.hasGap = true;
    const { observed, planned } = await told(at, at.freshVm());
    poison.hasGap = false;
    assert.deepEqual(planned, ["answer.plan.observation.gaps[].facts.entry", "answer.plan.observation.gaps[].said"]);
    for (const field of ["gaps[].said", "vms[].tags[]", "vms[].name", "vms[].blockers[].said", "vms[].because.said"])
      assert.ok(observed.includes(`answer.observation.${field}`), field);
  });
  test("P7-F1 cannot speak by an error in the place of an answer, but in a field of its own", async () => {
    const at = stage();
    poison.isSilent = true;
    const { observed } = await told(at, at.freshVm());
    poison.isSilent = false;
    assert.ok(observed.includes("answer.unanswered.said"), observed.join());
  });
  test("P7-F1 cannot speak by the end of a task, but in a field of its own", async () => {
    const at = stage();
    const plan = await approvedBy(at, at.robo);
    const { structuredContent } = await at.robo.call("apply_step", atStep(plan));
    const intent = structuredContent.answer?.intent ?? assert.fail(JSON.stringify(structuredContent));
    await untilEnded(at.robo, intent);
    const spoken = await spokenBy(at.robo, "intent_status", { intent });
    assert.ok(spoken.includes("answer.end.diagnostics[].said"), spoken.join());
    const from = (await at.served.records()).length - 4;
    const recorded = await spokenBy(at.robo, "search_records", { environment: "home", from });
    assert.deepEqual(recorded, ["answer.records[].body.request.diagnostics[].said"]);
  });
  test("P7-F1 cannot speak by a refusal of a call, but in a field of its own", () => {
    const facts = { desiredName: "web-01", observedName: poisoned("name") };
    const refusal = refuse("name-mismatch", { facts });
    const { structuredContent } = toolResult("apply_step", { answer: refusedByKernel([refusal]) }, newKey());
    assert.deepEqual(spokenIn(structuredContent ?? {}), ["refused.refusals[].facts.observedName"]);
    const { text } = Object(structuredContent).refused.refusals[0];
    assert.equal(text.detail, "it is named {observedName}, and the desired entry says web-01");
  });
  test("P7-F1 cannot speak to agents by what they are told of tools, rules and VMs", async () => {
    const { robo } = stage();
    for (const name of ["list_environments", "list_vms"]) assert.deepEqual(await spokenBy(robo, name), []);
    const constant = [
      await robo.ask("tools/list"),
      await robo.ask("server/discover"),
      await robo.ask("resources/list"),
      await robo.ask("resources/read", { uri: "dedalus://rules" }),
    ];
    for (const { text } of constant) assert.ok(!text.includes(MARK));
    assert.equal(rpcIn(constant[1] ?? assert.fail()).result?.["instructions"], INSTRUCTIONS);
  });
});
