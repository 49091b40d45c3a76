// The contract with agents, checked at a real door by one of the ways to it; a person who approves meanwhile; and ways
// that alter what is answered, as a server would that breaks the contract.

import assert from "node:assert/strict";
import { setTimeout as sleepFor } from "node:timers/promises";
import type { AskedDoor } from "../../../src/boundary/checking/asked-door.ts";
import { checkContract } from "../../../src/boundary/checking/check-contract.ts";
import { httpDoor } from "../../../src/boundary/checking/http-door.ts";
import { mcpDoor } from "../../../src/boundary/checking/mcp-door.ts";
import { httpClient } from "../../../src/boundary/client/http-client.ts";
import type { CheckTerms, ClauseChecked, ClauseId } from "../../../src/boundary/contract/agent-clauses.ts";
import { BODIES, type BodyWords } from "../../../src/boundary/http/answer-bodies.ts";
import { readMcpTools } from "../../../src/cli/files/own-files.ts";
import { serverAddressIn } from "../../../src/formats/client/server-address.ts";
import { isUlid } from "../../../src/ledger/record/ulid.ts";
import type { ServiceAnswer } from "../../../src/service/answer.ts";
import type { Caller } from "../../../src/service/hold/callers.ts";
import { errorJson } from "../../../src/service/json/error-json.ts";
import type { Outgoing, SendPort, WholeReply } from "../../../src/service/remote/send.ts";
import type { Service } from "../../../src/service/service.ts";
import { openRemote } from "../../../src/wire.ts";
import { bearer } from "../../service/serving.ts";
import { type AtDoor, newKey } from "../at-door.ts";

/** What a server answers in place of what it should: another status, another text. */
export type Altered = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly text: string;
};
export type Alter = (asked: Outgoing, text: string, status: number) => Altered | undefined;

export const clientAt = (url: string, token?: string): SendPort => {
  const address = serverAddressIn(url);
  if (typeof address === "string") assert.fail(address);
  return httpClient({ address, ...(token === undefined ? {} : { token }), trust: { verify: "system" }, version: "0" });
};

export const altering = (port: SendPort, alter: Alter): SendPort => ({
  ...port,
  send: async (outgoing) => {
    const reply = await port.send(outgoing);
    if (reply.kind === "none") return reply;
    const altered = alter(outgoing, Buffer.from(reply.bytes).toString("utf8"), reply.status);
    if (altered === undefined) return reply;
    const whole: WholeReply = {
      bytes: Buffer.from(altered.text),
      header: (name) => altered.headers?.[name] ?? reply.header(name),
      kind: "whole",
      status: altered.status ?? reply.status,
    };
    return whole;
  },
});

export type Way = (at: AtDoor, token: string, alter?: Alter) => AskedDoor;

export const byHttp: Way = ({ url }, token, alter = () => undefined) =>
  httpDoor(altering(clientAt(url, token), alter), altering(clientAt(url), alter), newKey);
export const byMcp: Way = ({ url }, token, alter = () => undefined) =>
  mcpDoor(altering(clientAt(url, token), alter), altering(clientAt(url), alter), "0");

/** As a program asks that holds the service itself, here or elsewhere. */
const byService = (service: Service, caller: Caller): AskedDoor => ({
  ask: async (operation, request, given) => {
    const key = isUlid(given) ? given : newKey();
    const asking = service[operation] as (by: Caller, asked: object) => Promise<ServiceAnswer<object>>;
    const answer = await asking({ ...caller, key }, request);
    if (answer.kind === "refused") {
      const { outcome, refusals } = errorJson(answer).error;
      return { kind: "refused", outcome, refusals };
    }
    const bodyOf = BODIES[operation] as (value: object, words: BodyWords) => object;
    const { head, record, replayed, value } = answer;
    // What a door could send of it, and nothing that only a process has.
    const body = JSON.parse(JSON.stringify(bodyOf(value, { findingWords: () => ({ detail: "", title: "" }) })));
    return {
      body,
      ...(head === undefined ? {} : { head }),
      kind: "answered",
      ...(record === undefined ? {} : { record: record.seq }),
      replayed,
    };
  },
  knows: new Set(["approve", "whoami"]),
  name: "http",
  takesKey: () => true,
});

/** In the process that holds the ledger. */
export const byHosted: Way = ({ given }, token) => byService(given.service, bearer(token));

/** By the service that the command line asks when a server is named. */
export const byRemote = async ({ url }: AtDoor, token: string): Promise<AskedDoor> => {
  const address = serverAddressIn(url);
  if (typeof address === "string") assert.fail(address);
  const service = await openRemote({ address, home: ".", tls: { verify: "system" }, token, version: "0" });
  return "code" in service ? assert.fail(service.code) : byService(service, bearer(token));
};

/** A person's approval of a step, by a token that no agent has. */
export const approvedBy = async ({ get, post, tokenFor }: AtDoor, plan: string, step: number): Promise<void> => {
  const token = await tokenFor("bob", ["approver"]);
  const { body } = await get(`/v1/plans/${plan}/steps/${step}/review`, { token });
  const { explanation, words } = body as {
    readonly explanation: { readonly hash: string };
    readonly words: string;
  };
  const said = { explanation: explanation.hash, reason: "agreed", words };
  const reply = await post(`/v1/plans/${plan}/steps/${step}/approvals`, said, { token });
  assert.equal(reply.status, 201, reply.text);
};

const PUBLISHED: readonly unknown[] = JSON.parse(readMcpTools()).tools;

export type Checking = {
  readonly signal?: AbortSignal;
  readonly terms?: Partial<CheckTerms>;
  readonly waiting?: (plan: string, step: number) => Promise<void>;
};

export const checkDoors = async (
  doors: readonly AskedDoor[],
  { signal = new AbortController().signal, terms = {}, waiting }: Checking = {},
): Promise<readonly ClauseChecked[]> => {
  let decided: Promise<void> = Promise.resolve();
  const checked = await checkContract(
    doors,
    { action: "vm.start", environment: "home", isApplying: false, ...terms },
    {
      newKey,
      nowMs: () => performance.now(),
      // A service in this process answers without the event loop: whoever decides must get a turn.
      pause: async () => {
        await sleepFor(20);
        await decided;
      },
      published: PUBLISHED,
      signal,
      waiting: ({ plan, step }) => {
        decided = waiting?.(plan, step) ?? decided;
      },
    },
  );
  await decided;
  return checked;
};

/** The clauses of one status, as `C1` or `C1 code`. */
export const clausesThat = (
  checked: readonly ClauseChecked[],
  status: ClauseChecked["verdict"]["status"],
): readonly string[] =>
  checked
    .filter(({ verdict }) => verdict.status === status)
    .map(({ clause, verdict }) => ("code" in verdict ? `${clause} ${verdict.code}` : clause));

export const verdictOf = (checked: readonly ClauseChecked[], clause: ClauseId): string =>
  checked.find((one) => one.clause === clause)?.verdict.status ?? "absent";
