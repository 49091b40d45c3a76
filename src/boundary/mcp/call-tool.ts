// One tool, asked for: its arguments are checked as a body over HTTP is, then the service is asked once, by a caller at
// the agents' door. What comes back is the service's answer, and under which key.
//
// No rule lives here. Not here: what the answer looks like to a client (tool-result.ts). Keeps P7-F1, B7.

import { Compile, type Validator } from "typebox/compile";
import { isSome, misfitProblems } from "../../formats/json/json-position.ts";
import type { Ulid } from "../../ledger/record/record.ts";
import { isUlid } from "../../ledger/record/ulid.ts";
import {
  type OkAnswer,
  type RefusedAnswer,
  refusedBy,
  refusedInput,
  type ServiceAnswer,
} from "../../service/answer.ts";
import type { Caller } from "../../service/hold/callers.ts";
import { isRecalled, type RecalledOperation } from "../../service/hold/recall-answer.ts";
import { type ErrorJson, errorJson, unansweredJson } from "../../service/json/error-json.ts";
import type { RecordsRequest } from "../../service/read/records.ts";
import type { Service } from "../../service/service.ts";
import type { Explanation } from "../../spine/model.ts";
import type { Gap } from "../../spine/observed-codes.ts";
import { type AnsweredOperation, BODIES, type BodyWords } from "../http/answer-bodies.ts";
import { misfitsIn } from "../http/schema-misfits.ts";
import { readPage } from "../http/serve-records.ts";
import { askDerived, type DerivedKeyUse, derivedKey } from "./derived-keys.ts";
import { namingFields, namingFieldsOf } from "./provider-texts.ts";
import { TOOL_NAMES, TOOLS, type ToolArguments, type ToolName } from "./tools.ts";

export type ToolGround = BodyWords & {
  readonly caller: Caller;
  /** Told each answer of the service: where the credential proves nobody, the whole request is nobody's. */
  readonly hear: (answer: ServiceAnswer<unknown>) => void;
  readonly newKey: () => Ulid;
  readonly service: Service;
};

export type AnsweredTool = {
  readonly answer: OkAnswer<unknown>;
  /** Made where it is not known already what was made of the value. */
  readonly body: () => object;
  readonly key?: Ulid;
  /** Of a page of records: where the next one begins. */
  readonly next?: number;
};
export type RefusedTool = { readonly answer: RefusedAnswer; readonly key?: Ulid };
export type ToolAnswered = AnsweredTool | RefusedTool;
export const isToolAnswer = (answered: ToolAnswered): answered is AnsweredTool => answered.answer.kind === "ok";

/** How arguments are called in problems. */
const ARGUMENTS = "arguments";

const CHECKS = new Map<ToolName, Validator>(TOOL_NAMES.map((name) => [name, Compile(TOOLS[name].input)]));

type Asking = (caller: Caller, request: object) => Promise<ServiceAnswer<object>>;

export const callTool = async (name: ToolName, given: ToolArguments, ground: ToolGround): Promise<ToolAnswered> => {
  const { input, keyed, operation, request, words } = TOOLS[name];
  const check = CHECKS.get(name);
  const misfits = check?.Check(given) === true ? [] : misfitsIn(input, given, check?.Errors(given) ?? []);
  if (isSome(misfits)) return { answer: refusedInput(misfitProblems(JSON.stringify(given), ARGUMENTS, misfits)) };
  const { key: named, ...rest } = given;
  const asked: object = request(rest);
  if (operation === "records") return readRecords(ground, asked as RecordsRequest, given["limit"]);
  const ask = async (key?: Ulid) => {
    const caller = key === undefined ? ground.caller : { ...ground.caller, key };
    const answer = await (ground.service[operation] as Asking)(caller, asked);
    ground.hear(answer);
    return answer;
  };
  if (keyed === "none") return answeredBy(operation, await ask(), ground);
  if (keyed === "given") {
    const key = typeof named === "string" && isUlid(named) ? named : ground.newKey();
    return { ...answeredBy(operation, await ask(key), ground), key };
  }
  const bound = Object.fromEntries(Object.entries(asked).filter(([member]) => !words.includes(member)));
  const keyAt = (time: number): Ulid => derivedKey(operation, bound, String(given["plan"]), time);
  const { answer, key } = await askDerived(keyAt, ask, (one) => keyUseAt(ground, one));
  return { ...answeredBy(operation, answer, ground), key };
};

/** What the service may know at once; undefined where it must be asked, and where the arguments do not fit. */
export const recalledOf = (
  name: ToolName,
  given: ToolArguments,
): { readonly operation: RecalledOperation & AnsweredOperation; readonly request: object } | undefined => {
  const { operation, request } = TOOLS[name];
  if (!isRecalled(operation) || CHECKS.get(name)?.Check(given) !== true) return undefined;
  return { operation, request: request(given) };
};

/** What cannot be looked up counts as free: the ledger itself says then whether it is. */
const keyUseAt = async ({ caller, service }: ToolGround, key: Ulid): Promise<DerivedKeyUse> => {
  const answer = await service.answered(caller, { key });
  if (answer.kind === "refused" || answer.value.record === undefined) return "free";
  return answer.value.over === true ? "over" : "stands";
};

type BodyOf = (value: object, words: BodyWords) => object;

export const answeredBy = (
  operation: AnsweredOperation,
  answer: ServiceAnswer<object>,
  words: BodyWords,
): ToolAnswered => {
  if (answer.kind === "refused") return { answer };
  const { beside = [], value } = answer;
  const body = (): object => ({
    ...(BODIES[operation] as BodyOf)(value, words),
    ...sentencesOf(operation, value, words),
    ...(beside.length === 0 ? {} : { beside: beside.map(toldError) }),
  });
  return { answer, body };
};

/** Those of a body that are made of facts which a provider may have said. */
const sentencesOf = (operation: AnsweredOperation, value: object, words: BodyWords): object => {
  if (operation === "explain" && "explanation" in value) {
    const explanation = namingFieldsOf(value.explanation as Explanation);
    const { inWords } = (BODIES.explain as BodyOf)({ ...value, explanation }, words) as { readonly inWords: object };
    return { inWords };
  }
  const { unanswered: gap } = value as { readonly unanswered?: Gap };
  return gap === undefined ? {} : { unanswered: { ...gap, detail: unansweredJson(namingFields(gap)).detail } };
};

/** A refusal as data, its sentences without what a provider said. */
export const toldError = (refused: RefusedAnswer): ErrorJson => {
  const { error } = errorJson(refused);
  const { refusals: spoken } = errorJson({
    ...refused,
    refusals: refused.refusals.map((one) => namingFields(one)),
  }).error;
  return {
    error: { ...error, refusals: error.refusals.map((one, at) => ({ ...one, text: spoken[at]?.text ?? one.text })) },
  };
};

const PAGE = 20;

const readRecords = async (
  { caller, hear, service }: ToolGround,
  asked: RecordsRequest,
  limit: unknown,
): Promise<ToolAnswered> => {
  const answer = await service.records(caller, asked);
  hear(answer);
  if (answer.kind === "refused") return { answer };
  const page = await readPage(answer.value.pieces, typeof limit === "number" ? limit : PAGE, caller.signal);
  if (page.broken !== undefined) return { answer: refusedBy(page.broken) };
  const records = page.lines.map((line) => JSON.parse(line));
  return { answer, body: () => ({ records }), ...(page.isFull ? { next: page.last + 1 } : {}) };
};
