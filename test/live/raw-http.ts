// The commands of a story as plain HTTP requests, as somebody with nothing but docs/http.md would write them. No code
// of the client or of the remote service is here: paths, bodies and headers stand as they travel.

import assert from "node:assert/strict";
import { ulids } from "../../src/ids.ts";

export type RawReply = { readonly body: { readonly [member: string]: unknown }; readonly ok: boolean };

/** What somebody asks with their own token. */
type Door = {
  readonly get: (path: string) => Promise<RawReply>;
  readonly post: (path: string, body?: object) => Promise<RawReply>;
};

const newKey = ulids();

export const doorFor = (url: string, token: string): Door => {
  const ask = async (method: string, path: string, more: RequestInit): Promise<RawReply> => {
    const headers = { authorization: `Bearer ${token}`, ...more.headers };
    const reply = await fetch(`${url}/v1${path}`, { ...more, headers, method });
    const text = await reply.text();
    const isJson = /^application\/(?:problem\+)?json/.test(reply.headers.get("content-type") ?? "");
    return { body: isJson ? JSON.parse(text) : {}, ok: reply.ok };
  };
  return {
    get: (path) => ask("GET", path, {}),
    post: (path, body = {}) =>
      ask("POST", path, {
        body: JSON.stringify(body),
        headers: { "content-type": "application/json", "idempotency-key": newKey(), prefer: "wait=30" },
      }),
  };
};

type Given = { readonly option: (name: string) => string; readonly words: readonly string[] };

const givenIn = (words: readonly string[]): Given => {
  const at = words.findIndex((word) => word.startsWith("--"));
  return {
    option: (name) => words[words.indexOf(`--${name}`) + 1] ?? assert.fail(name),
    words: at < 0 ? words : words.slice(0, at),
  };
};

const stepOf = (words: readonly string[]): string => {
  const { option, words: named } = givenIn(words);
  return `/plans/${named[1]}/steps/${words.includes("--step") ? option("step") : 1}`;
};

type Ask = (door: Door, words: readonly string[]) => Promise<RawReply>;

const reads =
  (path: string): Ask =>
  ({ get }) =>
    get(path);

/** A decision on a step, with its reason. */
const decides =
  (what: string): Ask =>
  ({ post }, words) =>
    post(`${stepOf(words)}/${what}`, { reason: givenIn(words).option("reason") });

const freezes =
  (path: string): Ask =>
  ({ post }, words) => {
    const { option } = givenIn(words);
    return post(path, { environment: option("env"), reason: option("reason") });
  };

type Prepared = {
  readonly confirms: boolean;
  readonly untried: readonly { readonly objections: readonly object[]; readonly step: number }[];
};
type Challenged = { readonly challenge: { readonly hash: string; readonly id: string } };

/** Each step that was not tried: read and confirmed by a person, asked for by an agent, until one is refused. */
const walk = async ({ get, post }: Door, plan: string): Promise<RawReply> => {
  const prepared = await get(`/plans/${plan}/preparation`);
  const { confirms, untried = [] } = prepared.body as Partial<Prepared>;
  let last = prepared;
  for (const { objections, step } of untried) {
    const path = `/plans/${plan}/steps/${step}`;
    if (confirms === true && objections.length > 0) return last;
    if (confirms !== true) last = await post(`${path}/applies`);
    else {
      const { challenge } = (await post(`${path}/challenges`)).body as Challenged;
      const confirmation = { challenge: challenge.id, explanation: challenge.hash };
      last = await post(`${path}/applies`, { confirmation });
    }
    if (!last.ok) return last;
  }
  return last;
};

const ENVIRONMENT = "home";

/** Plans one action on one VM, and walks that plan. */
const acts =
  (kind: string): Ask =>
  async (door, [, vm]) => {
    const vmid = Number(vm);
    const request = { action: { kind }, vmid };
    const planned = await door.post("/plans", { environment: ENVIRONMENT, request, scope: [vmid] });
    return planned.ok ? walk(door, String(planned.body["id"])) : planned;
  };

const plans: Ask = ({ post }, words) => {
  const { option } = givenIn(words);
  if (words.includes("--only")) return post("/plans", { scope: option("only").split(",") });
  if (!words.includes("--action")) return post("/plans", { scope: "all" });
  const [kind, vm] = [`vm.${option("action")}`, option("vm")];
  return post("/plans", { request: { action: { kind }, vmid: vm }, scope: [vm] });
};

const status: Ask = ({ get }, words) =>
  get(words.includes("--vm") ? `/status?vm=${givenIn(words).option("vm")}` : "/status");

const explains: Ask = ({ get }, words) =>
  get(`${stepOf(words)}/explanation${words.includes("--as-shown") ? "?words=as-shown" : ""}`);

const createsToken: Ask = ({ post }, words) => {
  const { option } = givenIn(words);
  return post("/tokens", { days: Number(option("days")), name: option("name"), roles: [option("role")] });
};

/** By the words of a command, the longest first; `desired` is the text of the file that is registered. */
const commands = (desired: string): Readonly<Record<string, Ask>> => ({
  apply: (door, [, plan = ""]) => walk(door, plan),
  approve: decides("approvals"),
  cancel: ({ post }, words) => post(`/plans/${words[1]}/cancellations`, { reason: givenIn(words).option("reason") }),
  deny: decides("denials"),
  drift: reads("/drift"),
  explain: explains,
  freeze: freezes("/freezes"),
  history: ({ get }, [, vm]) => get(`/vms/${vm}/history`),
  import: reads("/inventory"),
  "ledger checkpoint": ({ post }) => post("/checkpoints"),
  "ledger export": reads("/export"),
  "ledger prove": ({ get }, [, , seq]) => get(`/records/${seq}/proof`),
  "ledger show": ({ get }, words) => get(`/records?kind=${givenIn(words).option("kind")}`),
  "ledger verify": reads("/verification"),
  list: reads("/vms"),
  observe: ({ post }) => post("/observations"),
  plan: plans,
  "plan show": ({ get }, [, , plan]) => get(`/plans/${plan}`),
  plans: reads("/plans"),
  reboot: acts("vm.reboot"),
  reconcile: ({ post }, words) => post(`/vms/${givenIn(words).option("vm")}/reconciliations`),
  register: ({ post }, [, file]) => post("/desired", { desired: { file, text: desired } }),
  replay: reads("/replay"),
  "request-approval": ({ post }, words) => post(`${stepOf(words)}/approval-requests`),
  revoke: decides("revocations"),
  state: ({ get }, words) => get(`/state?at=${givenIn(words).option("at")}`),
  status,
  stop: acts("vm.stop"),
  "token create": createsToken,
  "token list": reads("/tokens"),
  "token revoke": ({ post }, words) => post("/token-revocations", { name: givenIn(words).option("name") }),
  unfreeze: freezes("/unfreezes"),
});

/** Undefined for words that are no command: nothing is asked then. */
export const askRaw = async (door: Door, words: readonly string[], desired: string): Promise<RawReply | undefined> => {
  const known = commands(desired);
  const [first = "", second = ""] = words;
  const ask = known[`${first} ${second}`] ?? known[first];
  return ask?.(door, words);
};
