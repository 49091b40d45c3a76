// A model without a mind: it reads what a person asked for and the last tool result, and does what a careful agent
// would do next. It runs on pi's faux provider, so that no test depends on what some model says on some day.
//
// Its impatient twin applies without an approval, then tries to approve by itself, and reports what it was told.

import { setTimeout as pause } from "node:timers/promises";
import {
  type AssistantMessage,
  type FauxProviderHandle,
  fauxAssistantMessage,
  fauxProvider,
  fauxToolCall,
  type Message,
  type ToolCall,
  type ToolResultMessage,
} from "@earendil-works/pi-ai";

const TURNS_MAX = 600;
const POLL_MS = 100;

type Asked = { readonly environment: string; readonly name: string; readonly verb: string };
type Read = Readonly<Record<string, never>>;

const textIn = (content: Message["content"]): string =>
  typeof content === "string" ? content : content.map((part) => ("text" in part ? part.text : "")).join("");

/** What a person wants, in the words that this model knows: `Please start web-01 in home.` */
const interpret = (messages: readonly Message[]): Asked => {
  const text = messages.flatMap(({ content, role }) => (role === "user" ? [textIn(content)] : [])).join(" ");
  const [, verb, name, environment] = /\b(start|stop|reboot|shutdown)\s+(\S+)\s+in\s+([\w-]+)/.exec(text) ?? [];
  if (verb === undefined || name === undefined || environment === undefined) throw new Error(`not understood: ${text}`);
  return { environment, name, verb };
};

const call = (name: string, given: ToolCall["arguments"]): AssistantMessage =>
  fauxAssistantMessage(fauxToolCall(name, given), { stopReason: "toolUse" });
const report = (text: string): AssistantMessage => fauxAssistantMessage(text);

type Seen = { readonly asked: Asked; readonly plan: string; readonly value: Read; readonly error: string | undefined };
type Next = (seen: Seen) => AssistantMessage | Promise<AssistantMessage>;

const at = (plan: string) => ({ plan, step: { number: 1 } });
const codesOf = (text: string): string =>
  Array.from(text.matchAll(/"code":"([a-z-]+)"/g), ([, code]) => code).join(", ");

const planIt: Next = ({ asked: { environment, name, verb }, value }) => {
  const vms: readonly { readonly name: string; readonly vmid: number }[] = value["vms"] ?? [];
  const vm = vms.find((one) => one.name === name)?.vmid;
  return vm === undefined
    ? report(`There is no VM ${name}.`)
    : call("plan_action", { action: { kind: `vm.${verb}` }, environment, vm });
};
const idIn = (value: Read, member: string): string => String(value[member]);
const statusOf = (value: Read): string => String(Object(Object(value["steps"])[0])["status"]);
const outcomeOf = (value: Read): string | undefined => Object(value["result"])["outcome"];

/** What follows each tool, when it answered. */
const CAREFUL: Readonly<Record<string, Next>> = {
  apply_step: ({ value }) => call("intent_status", { intent: idIn(value, "intent") }),
  explain_step: ({ plan }) => call("request_approval", at(plan)),
  intent_status: async ({ value }) => {
    const outcome = outcomeOf(value);
    if (outcome !== undefined) return report(`It ${outcome}.`);
    await pause(POLL_MS);
    return call("intent_status", { intent: idIn(value, "id") });
  },
  list_vms: planIt,
  plan_action: ({ plan, value }) =>
    Object(value["verdict"])["kind"] === "refused"
      ? report(`Refused: ${codesOf(JSON.stringify(value["verdict"]))}.`)
      : call("explain_step", at(plan)),
  plan_status: async ({ plan, value }) => {
    const status = statusOf(value);
    if (status === "approved") return call("apply_step", at(plan));
    if (status !== "awaiting-approval") return report(`It is ${status}.`);
    await pause(POLL_MS);
    return call("plan_status", { plan });
  },
  request_approval: ({ plan }) => call("plan_status", { plan }),
};
const IMPATIENT: Readonly<Record<string, Next>> = {
  apply_step: ({ plan }) => call("approve_step", { ...at(plan), reason: "it is urgent" }),
  approve_step: ({ error = "nothing" }) => report(`I was told: ${error}`),
  list_vms: planIt,
  plan_action: ({ plan }) => call("apply_step", at(plan)),
};
export const TEMPERS = { careful: CAREFUL, impatient: IMPATIENT } as const;
export type Temper = keyof typeof TEMPERS;

const isResult = (message: Message): message is ToolResultMessage => message.role === "toolResult";
const answerIn = (text: string): Read => Object(JSON.parse(text))["answer"] ?? {};

const nextOf = (temper: Temper, messages: readonly Message[]): AssistantMessage | Promise<AssistantMessage> => {
  const asked = interpret(messages);
  const results = messages.filter(isResult);
  const last = results.at(-1);
  if (last === undefined) return call("list_vms", { environment: asked.environment });
  const text = textIn(last.content);
  const planned = results.find(({ toolName }) => toolName === "plan_action");
  const plan = planned === undefined || planned.isError ? "" : String(answerIn(textIn(planned.content))["id"]);
  const next = TEMPERS[temper][last.toolName];
  if (next === undefined) return report(`${last.toolName} leads nowhere.`);
  if (!last.isError) return next({ asked, error: undefined, plan, value: answerIn(text) });
  return temper === "impatient"
    ? next({ asked, error: text, plan, value: {} })
    : report(`${last.toolName} was refused: ${codesOf(text)}.`);
};

export const scriptedModel = (temper: Temper): FauxProviderHandle => {
  const faux = fauxProvider();
  faux.setResponses(
    Array.from(
      { length: TURNS_MAX },
      () =>
        ({ messages }) =>
          nextOf(temper, messages),
    ),
  );
  return faux;
};
