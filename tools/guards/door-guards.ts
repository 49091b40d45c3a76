// The guards of the doors and of the service that the hostile suite relies on.

import type { Guard } from "./guard.ts";

const DECIDES = "test/hostile-agent/decide-for-people.test.ts";
const FLOOD = "test/hostile-agent/flood.test.ts";
const FORGED = "test/hostile-agent/forge-a-question.test.ts";
const LOST = "test/hostile-agent/lose-answers.test.ts";
const OTHERWISE = "test/hostile-agent/speak-otherwise.test.ts";
const PERSUADE = "test/hostile-agent/persuade-people.test.ts";
const PROVIDER = "test/hostile-agent/speak-as-the-provider.test.ts";
const CLOCK = "test/hostile-agent/keep-to-the-clock.test.ts";
const SESSION = "test/hostile-agent/come-by-a-session.test.ts";

export const DOOR_GUARDS: readonly Guard[] = [
  {
    becomes: 'bind: () => "",',
    cases: ["B2 cannot come back with the requestState of another agent"],
    file: "src/boundary/mcp/ask-people.ts",
    is: "bind: principalOf,",
    name: "a question is sealed for its caller",
    test: FORGED,
  },
  {
    becomes: "if (given === undefined || given.plan !== null) return;",
    cases: [
      "B2 cannot come back with the requestState of another plan",
      "B2 cannot come back with the requestState of another step",
    ],
    file: "src/boundary/mcp/ask-people.ts",
    is: "if (given === undefined || (given.plan === asked.plan && given.step === asked.step)) return;",
    name: "a question is sealed for its step",
    test: FORGED,
  },
  {
    becomes: "ttlSeconds: 100 * ASKED_SECONDS,",
    cases: ["B2 cannot come back with a requestState once its hour is over"],
    file: "src/boundary/mcp/ask-people.ts",
    is: "ttlSeconds: ASKED_SECONDS,",
    name: "a question ends",
    test: CLOCK,
  },
  {
    becomes: "const misfits = check !== null ? [] :",
    cases: ["P7-F1 cannot apply by the flag force", "P7-F1 cannot name an approver to apply_step as approved_by"],
    file: "src/boundary/mcp/call-tool.ts",
    is: "const misfits = check?.Check(given) === true ? [] :",
    name: "arguments are checked",
    test: DECIDES,
  },
  {
    becomes: "words: [] }",
    cases: ["in other words it has asked already: people are asked once, and read what is recorded"],
    file: "src/boundary/mcp/tools.ts",
    is: 'words: ["reason"] }',
    name: "a request for approval has one key, whatever its reason",
    test: PERSUADE,
  },
  {
    becomes: "derivedBy: (asked) => asked,",
    cases: ["in other words it has asked already: people are asked once, and read what is recorded"],
    file: "src/service/act/decisions.ts",
    is: "derivedBy: ({ reason: _, ...step }) => step,",
    name: "a key is bound to a step, and not to the reason",
    test: PERSUADE,
  },
  {
    becomes: 'if (name === "")',
    cases: ['P7-S3 cannot call the tool "approve_step"'],
    file: "src/boundary/mcp/agent-server.ts",
    is: "if (!isToolName(name))",
    name: "the tools are these",
    test: DECIDES,
  },
  {
    becomes: 'if (proven.kind === "refused" && heard !== undefined && statusOfAnswer(proven) === UNAUTHENTICATED)',
    cases: ["B2 cannot ask for tools/list {} at the agents' door by the session of a person"],
    file: "src/boundary/mcp/serve-mcp.ts",
    is: 'if (proven.kind === "refused" && (heard === undefined || statusOfAnswer(proven) === UNAUTHENTICATED))',
    name: "nobody is told anything unproven",
    test: SESSION,
  },
  {
    becomes: 'if (method !== "" || cookies.isCsrf(',
    cases: ["P7-F1 cannot use the cookie of a person without the word of their page"],
    file: "src/boundary/identity/browser-credential.ts",
    is: 'if (method === "GET" || cookies.isCsrf(',
    name: "a cookie needs the word of its page",
    test: SESSION,
  },
  {
    becomes: "if (left >= -Infinity) return undefined",
    cases: ["P7-F1 cannot fill the ledger with refusals: beyond its measure none is recorded"],
    file: "src/boundary/http/caller-limits.ts",
    is: "if (left >= 1) return undefined",
    name: "a caller has its measure",
    test: FLOOD,
  },
  {
    becomes: "if (use.streams >= Infinity)",
    cases: ["P7-F1 cannot hold more streams of events than are its own, and holds none at its own door"],
    file: "src/boundary/http/caller-limits.ts",
    is: "if (use.streams >= limit)",
    name: "a caller has its streams",
    test: FLOOD,
  },
  {
    becomes: "return origin !== null || origins.includes(origin)",
    cases: ["P7-F1 cannot apply by the page of another site"],
    file: "src/boundary/http/request-head.ts",
    is: "return origin === undefined || origins.includes(origin)",
    name: "a page of another site asks nothing",
    test: OTHERWISE,
  },
  {
    becomes: "if (keys.has(null as never))",
    cases: ["P7-F1 cannot apply by a key that stands twice"],
    file: "src/formats/json/json-scan.ts",
    is: "if (keys.has(key))",
    name: "a key stands once",
    test: OTHERWISE,
  },
  {
    becomes: "if (false) return sendRefused(",
    cases: ["B6 cannot do twice by cancel_plan what it asks again, cut off at every point of its request"],
    file: "src/boundary/http/door.ts",
    is: "if (isLeft(request)) return sendRefused(",
    name: "whoever leaves is no bug",
    test: LOST,
  },
  {
    becomes: "if (use !== null) return undefined;\n  if (use === undefined)",
    cases: ["B6 cannot do twice by plan_action what it asks again, cut off from its answer"],
    file: "src/service/act/answer-once.ts",
    is: "if (use === undefined)",
    name: "a key is answered once",
    test: LOST,
  },
  {
    becomes: "[name, false ? inPlaceOf(name, fact) : fact]",
    cases: ["P7-F1 cannot speak by a lock in a plan or its explanation, but in a field of its own"],
    file: "src/boundary/mcp/provider-texts.ts",
    is: "[name, isQuoted(name, holder) ? inPlaceOf(name, fact) : fact]",
    name: "no sentence quotes a provider",
    test: PROVIDER,
  },
  {
    becomes: "const shown = text.slice(0, TEXT_MAX + 1);",
    cases: ["P7-F1 cannot speak by a name in a plan or its explanation, but in a field of its own"],
    file: "src/boundary/mcp/tool-result.ts",
    is: "const shown = visible(text.slice(0, TEXT_MAX + 1));",
    name: "what is invisible is written out",
    test: PROVIDER,
  },
  {
    becomes: "return shown.length > Infinity ?",
    cases: ["P7-F1 cannot speak by a node and its error in a plan or its explanation, but in a field of its own"],
    file: "src/boundary/mcp/tool-result.ts",
    is: "return shown.length > TEXT_MAX ?",
    name: "a text ends",
    test: PROVIDER,
  },
  {
    becomes: 'OBSERVED.has("") ||',
    cases: ["P7-F1 cannot speak by what was not seen, but in a field of its own"],
    file: "src/boundary/mcp/provider-texts.ts",
    is: "OBSERVED.has(name) ||",
    name: "what was observed is named as the provider's",
    test: PROVIDER,
  },
];
