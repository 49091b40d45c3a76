// node pi-agent.ts careful|impatient REQUEST: an agent of pi-agent-core with the tools of Dedalus, at the service of
// DEDALUS_SERVER as the agent of DEDALUS_TOKEN. Prints lines of JSON: tool calls, addresses for people, the report.

import assert from "node:assert/strict";
import { Agent } from "@earendil-works/pi-agent-core";
import { createModels } from "@earendil-works/pi-ai";
import { connectDedalus } from "./dedalus-tools.ts";
import { scriptedModel, TEMPERS, type Temper } from "./scripted-model.ts";

const isTemper = (text: string): text is Temper => Object.hasOwn(TEMPERS, text);
const [, , temper = "", request = ""] = process.argv;
assert.ok(isTemper(temper), `${temper} is no temper`);
const given = (name: string): string => process.env[name] ?? assert.fail(`${name} is not set`);
const tell = (told: object): void => void process.stdout.write(`${JSON.stringify(told)}\n`);

const dedalus = await connectDedalus({
  server: given("DEDALUS_SERVER"),
  showPage: (url) => tell({ told: "page", url }),
  token: given("DEDALUS_TOKEN"),
});
const faux = scriptedModel(temper);
const models = createModels();
models.setProvider(faux.provider);
const agent = new Agent({
  initialState: {
    model: faux.getModel(),
    systemPrompt: "You look after virtual machines. People approve; you never do.",
    tools: [...dedalus.tools],
  },
  streamFn: models.streamSimple.bind(models),
});
agent.subscribe((event) => {
  if (event.type === "tool_execution_end") {
    tell({ isError: event.isError, result: event.result, told: "tool", tool: event.toolName });
  }
  if (event.type === "message_end" && event.message.role === "assistant") {
    for (const part of event.message.content) if (part.type === "text") tell({ text: part.text, told: "said" });
  }
});
try {
  await agent.prompt(request);
  assert.equal(agent.state.errorMessage, undefined);
} finally {
  await dedalus.close();
}
