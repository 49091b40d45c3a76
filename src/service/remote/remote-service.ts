// The service that is elsewhere: every operation is one request to it, and its answer the same value that a service on
// a ledger of its own gives. A command does not know which of the two it asks.
//
// Who asks is proven there, by the credential that the port sends; a caller here only carries a key. A challenge is for
// no one process: another instance may take the confirmation. What could not be kept beside what was done is told at
// close, as a local service tells it. Not here: how bytes travel (boundary/client/). keeps B2, B6

import { ROUTES } from "../../boundary/contract/routes.ts";
import { requestWritten } from "../../boundary/contract/travel.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { sha256 } from "../../spine/values/hash.ts";
import { OWN_WORDS } from "../../spine/words/own-words.ts";
import { wordsIn } from "../../spine/words/words-catalogue.ts";
import type { LastQuestion } from "../act/perform-step.ts";
import { type RefusedAnswer, refusedBy, refusedByKernel, type ServiceAnswer } from "../answer.ts";
import type { Caller } from "../hold/callers.ts";
import type { Watch } from "../progress.ts";
import type { AnswerExplained, ExplainRequest, StepExplained } from "../read/explain-recorded.ts";
import type { Service } from "../service.ts";
import { headIn, problemIn } from "./answer-in.ts";
import type { RequestFor, ValueOf, WholeOperation } from "./answer-values.ts";
import { type Ask, type AskPorts, askerOf } from "./ask-service.ts";
import { type FollowPorts, followIntent } from "./follow-intent.ts";
import { readExport } from "./remote-export.ts";
import { readRecords } from "./remote-records.ts";

export type RemotePorts = AskPorts & Pick<FollowPorts, "now" | "pause">;

/** An apply is waited for so long before its intent alone is answered: most have ended by then. */
const WAIT_SECONDS = 30;

type Operating<K extends WholeOperation> = (
  caller: Caller,
  request: RequestFor<K>,
) => Promise<ServiceAnswer<ValueOf<K>>>;

export const remoteService = (ports: RemotePorts): Service => {
  const { documents, port } = ports;
  const { server } = port;
  const beside: RefusedAnswer[] = [];
  const askBare = askerOf(ports);
  const ask: Ask = async (operation, request, asked) => {
    const { beside: unkept = [], ...answer } = await askBare(operation, request, asked);
    beside.push(...unkept);
    return answer as Awaited<ReturnType<typeof askBare<typeof operation>>>;
  };
  const asking =
    <K extends WholeOperation>(operation: K): Operating<K> =>
    (caller, request) =>
      ask(operation, request, caller);

  /** The words of then are a blob of the ledger, under their digest. */
  const explain = async (caller: Caller, request: ExplainRequest): Promise<ServiceAnswer<AnswerExplained>> => {
    const answer = await ask("explain", request, caller);
    if (answer.kind === "refused" || answer.value.asShown === undefined) return answer;
    const { asShown } = answer.value;
    if (asShown.words === OWN_WORDS.digest) return answer;
    const words = await blob(caller, { digest: asShown.words });
    if (words.kind === "refused") return words;
    const catalogue = wordsIn(new TextDecoder("utf-8", { fatal: true }).decode(words.value.bytes));
    return { ...answer, value: { ...answer.value, asShown: { ...asShown, catalogue } } };
  };

  const blob: Service["blob"] = async (_, request) => {
    const { path } = requestWritten(ROUTES.blob, request);
    const reply = await port.send({ headers: {}, method: "GET", path });
    if (reply.kind === "none") return refusedBy(reply.refusal);
    if (reply.status !== 200) return problemIn({ documents, server }, reply).answer;
    const { bytes } = reply;
    const digest = sha256(bytes);
    const facts = { answer: "blob", httpStatus: reply.status, server };
    if (digest !== request.digest) return refusedBy(refuse("server-answer", { cause: "unfit", facts }));
    return { head: headIn(reply), kind: "ok", replayed: false, value: { bytes, digest } };
  };

  const apply = async (
    caller: Caller,
    request: RequestFor<"apply">,
    watch?: Watch,
    isWanted?: LastQuestion,
  ): ReturnType<Service["apply"]> => {
    const { plan, step } = request;
    if (isWanted !== undefined && !(await isWanted())) {
      const facts = { plan, step: "number" in step ? step.number : step.vmid };
      return refusedByKernel([refuse("confirmation-missing", { cause: "declined", facts })]);
    }
    if ("number" in step) watch?.({ at: "claiming", step: step.number });
    const answer = await ask("apply", request, { ...caller, waitSeconds: WAIT_SECONDS });
    if (answer.kind === "refused") return answer;
    return { ...answer, value: { ...answer.value, underway: followIntent({ ...ports, ask }, answer.value) } };
  };

  return {
    acceptClock: asking("acceptClock"),
    acceptIdentity: asking("acceptIdentity"),
    annotate: asking("annotate"),
    answered: asking("answered"),
    apply,
    approve: asking("approve"),
    blob,
    cancel: asking("cancel"),
    challenge: (caller, { here: _, ...request }) =>
      ask("challenge", request, caller) as Promise<ServiceAnswer<StepExplained>>,
    checkpoint: asking("checkpoint"),
    checkpoints: asking("checkpoints"),
    close: async () => beside.splice(0),
    comparePlans: asking("comparePlans"),
    createToken: asking("createToken"),
    deny: asking("deny"),
    desired: asking("desired"),
    drift: asking("drift"),
    examine: asking("examine"),
    explain,
    export: () => readExport({ documents, port, server }),
    fleet: asking("fleet"),
    freeze: asking("freeze"),
    history: asking("history"),
    ingest: asking("ingest"),
    intent: asking("intent"),
    inventory: asking("inventory"),
    invite: asking("invite"),
    makePlan: asking("makePlan"),
    observe: asking("observe"),
    people: asking("people"),
    plans: asking("plans"),
    prepareApply: asking("prepareApply"),
    prove: asking("prove"),
    reconcile: asking("reconcile"),
    records: (_, request) => readRecords({ documents, pause: ports.pause, port, server }, request),
    register: asking("register"),
    replay: asking("replay"),
    requestApproval: asking("requestApproval"),
    allowances: asking("allowances"),
    review: asking("review"),
    rules: asking("rules"),
    revoke: asking("revoke"),
    revokeToken: asking("revokeToken"),
    rotateToken: asking("rotateToken"),
    showPlan: asking("showPlan"),
    signOut: asking("signOut"),
    stateAfter: asking("stateAfter"),
    status: asking("status"),
    environments: asking("environments"),
    tokens: asking("tokens"),
    unfreeze: asking("unfreeze"),
    verify: asking("verify"),
    vm: asking("vm"),
    vms: asking("vms"),
    whatIf: asking("whatIf"),
    whoami: asking("whoami"),
  };
};
