// How people are asked to decide on a step, once the request for it is recorded: by the address of a page, shown to
// them by the agent's client where it can, and told to the agent otherwise. Never by a form, and never by a yes.
//
// What a client says of that page proves nothing, and nothing is applied because of it: only the record of an approval
// counts. What comes back from a client was sealed here, for one caller, plan, step and explanation, and ends.
// keeps B2, P7-A2. Not here: the page itself, and who may decide, which is the kernel's.

import { hkdfSync } from "node:crypto";
import {
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type RequestStateCodec,
  type ServerContext,
  UrlElicitationRequiredError,
} from "@modelcontextprotocol/server";

import type { Service } from "../../service/service.ts";
import type { Sha256 } from "../../spine/model.ts";
import { present } from "../../spine/values/present.ts";
import type { ToolGround } from "./call-tool.ts";
import { askingWords } from "./tool-words.ts";

/** What a question to people was about. */
export type StepAsked = { readonly explanation: Sha256; readonly plan: string; readonly step: number };

/** Who must decide, on what, where, and how it stands. */
export type StepToDecide = StepAsked & {
  readonly approvals: number;
  readonly approvedBy: readonly string[];
  readonly environment: string;
  readonly role: "approver";
  readonly status: string;
  /** Absent where the service has no address for people. */
  readonly url?: string;
};

export type PeopleAsked = { readonly codec: RequestStateCodec<StepAsked>; readonly origin?: string };

const KEY_BYTES = 32;
const ASKED_SECONDS = 3_600;

/** `secret` is the same for all instances, so that each knows what another has asked. */
export const requestStates = (
  secret: string,
  principalOf: (context: ServerContext) => string,
): RequestStateCodec<StepAsked> =>
  createRequestStateCodec<StepAsked>({
    bind: principalOf,
    key: new Uint8Array(hkdfSync("sha256", secret, "dedalus", "mcp-request-state", KEY_BYTES)),
    ttlSeconds: ASKED_SECONDS,
  });

/** How the step stands for people; undefined where that cannot be read, which the answer need not wait for. */
export const readDeciding = async (
  { caller, service }: Pick<ToolGround, "caller"> & { readonly service: Pick<Service, "explain"> },
  { plan, step }: Omit<StepAsked, "explanation">,
  origin: string | undefined,
): Promise<StepToDecide | undefined> => {
  const answer = await service.explain(caller, { plan, step: { number: step } });
  if (answer.kind === "refused") return undefined;
  const { explanation, of, shown } = answer.value;
  return {
    approvals: shown?.needed ?? 0,
    approvedBy: shown?.approvedBy ?? [],
    environment: of.environment,
    explanation: explanation.hash,
    plan,
    role: "approver",
    status: shown?.status ?? "over",
    step,
    ...present({ url: origin === undefined ? undefined : `${origin}/approve/${plan}/${step}` }),
  };
};

export const isWaiting = ({ approvals, approvedBy }: StepToDecide): boolean => approvedBy.length < approvals;

/** What was sealed for another step is as good as forged, and is told as that. */
export const checkAsked = (given: StepAsked | undefined, asked: Omit<StepAsked, "explanation">): void => {
  if (given === undefined || (given.plan === asked.plan && given.step === asked.step)) return;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid or expired requestState", {
    reason: "invalid_request_state",
  });
};

const QUESTION = "decide";

/** For a client of 2026-07-28 that opens addresses. */
export const askByUrl = async (
  { explanation, plan, step }: StepToDecide,
  url: string,
  { codec }: PeopleAsked,
  context: ServerContext,
): Promise<InputRequiredResult> =>
  inputRequired({
    inputRequests: { [QUESTION]: inputRequired.elicitUrl({ message: askingWords(plan, step), url }) },
    requestState: await codec.mint({ explanation, plan, step }, context),
  });

/** For a client of 2025-11-25 that opens addresses; `elicitationId` is the key of the request. */
export const urlRequired = (
  { plan, step }: StepToDecide,
  url: string,
  elicitationId: string,
): UrlElicitationRequiredError =>
  new UrlElicitationRequiredError([{ elicitationId, message: askingWords(plan, step), mode: "url", url }]);
