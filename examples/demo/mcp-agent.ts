// The part of the demo with an agent: a real MCP client plans, is refused, asks, and waits; a person reads on a page
// what it wants, and decides; only then does it apply.
//
// The client is the package integrations/mcp-client, which tools/install-integration.ts installs. The person's browser
// is person.ts: nothing that the agent holds could open the page.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { personBy } from "./person.ts";
import { found, here, say, scene } from "./stage.ts";

const CLIENT = here("../../integrations/mcp-client/play-agent.ts");
const WORDS = ["2026-07-28", "http", "page", "102"];

type Told = {
  readonly again?: string;
  readonly intent?: string;
  readonly outcome?: string;
  readonly plan?: string;
  readonly refusals?: readonly { readonly code: string; readonly rule: string }[];
  readonly revision?: string;
  readonly seq?: number;
  readonly step?: number;
  readonly told: string;
  readonly tools?: readonly string[];
  readonly url?: string;
};

/** What the agent's program tells, in a line each. */
const TELLINGS: Readonly<Record<string, (told: Told) => string>> = {
  applied: ({ again, intent }) => `apply_step: intent ${intent}; again: ${again === intent ? "the same" : again}`,
  asked: ({ step }) => `request_approval: recorded for step ${step}; now it waits`,
  connected: ({ revision, tools = [] }) => `speaks MCP ${revision} over HTTP: ${tools.length} tools, none approves`,
  ended: ({ outcome, seq }) => `intent_status: ${outcome}; prove_record: record ${seq} has a proof`,
  page: ({ url }) => `hands on an address that a person must open: ${url}`,
  planned: ({ plan, step }) => `plan_desired, explain_step: step ${step} of plan ${plan}`,
  refused: ({ refusals = [] }) =>
    `apply_step: refused, ${refusals.map(({ code, rule }) => `${code} (${rule})`).join()}`,
};

/** The lines of a page that say what is decided on, and by whom. */
const excerpt = (page: string): readonly string[] =>
  [/Approve or deny: [\w -]+?(?= Environment)/, /Requested by .*? token/, /effect: .*?\./, /explanation [0-9a-f]{64}/]
    .flatMap((pattern) => pattern.exec(page)?.[0] ?? [])
    .map((line) => line.replace(/ ,/g, ","));

export const playMcpAgent = async (
  server: string,
  token: string,
  dedalus: (...words: readonly string[]) => string,
): Promise<void> => {
  scene(
    "An agent asks through MCP; a person decides on a page.",
    "Bob stopped web-02, and it is registered as running. The agent has tools to plan and to apply, and none to approve.",
  );
  const link = found(dedalus("invite", "dana", "--role", "approver"), /(http:\S+#[\w-]+)/);
  const dana = await personBy(link);
  say(
    "",
    "dana opens the link, sets a passkey and signs in. (A program is her browser here, with a passkey of its own.)",
  );

  say(
    "",
    `$ DEDALUS_TOKEN=$ROBO DEDALUS_SERVER=${server} node integrations/mcp-client/play-agent.ts ${WORDS.join(" ")}`,
  );
  const child = spawn(process.execPath, [CLIENT, ...WORDS], {
    env: {
      ...process.env,
      DEDALUS: here("../../bin/dedalus"),
      DEDALUS_SERVER: server,
      DEDALUS_TOKEN: token,
      ENVIRONMENT: "lab",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = once(child, "close");
  for await (const line of createInterface({ input: child.stdout })) {
    const told: Told = JSON.parse(line);
    say(`agent  ${TELLINGS[told.told]?.(told) ?? line}`);
    if (told.url === undefined) continue;
    const { after, before } = await dana.decide(told.url, "approvals", "web-02 is needed again");
    say(
      ...excerpt(before).map((text) => `dana   reads: ${text}`),
      `dana   presses Approve: ${found(after, /Approved (.*?) By /)}`,
    );
  }
  const [code] = await gone;
  if (code !== 0) throw new Error(`the agent's program ended with ${code}`);
};
