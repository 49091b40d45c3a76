// What each answer consists of, by its name. Beside its own members every answer may have `beside` and `recovered`; in
// the place of an answer there may be an error.

import type { AnswerName } from "../../src/service/json/answer-names.ts";
import { FIELDS } from "./fields.ts";
import { described, type JsonSchema, objectOf, part } from "./json-schema.ts";

const PLAN_FILE = "applicable because? id? plan verdict version counts";
const PLANNED = "applicable because? closed? counts id observedAt? plan requester? status? steps verdict version";
const WALK = "against? applied desiredFile? halted? planId skipped? withheld?";

const answer = (description: string, names: string): JsonSchema =>
  described(description, objectOf(FIELDS, ...names.split(" "), "beside?", "recovered?"));
/** What is printed a line each, without an end. */
const line = (names: string): JsonSchema => objectOf(FIELDS, ...names.split(" "));

export const ANSWERS: Readonly<Record<AnswerName, readonly JsonSchema[]>> = {
  agentConfig: [answer("What to paste into an agent's configuration.", "mcpServers")],
  allowances: [answer("What the kernel would answer the caller's acts.", "allowances")],
  anchorBegun: [answer("A new anchor.", "anchor found keptAs? notes reason root seq size")],
  answeredKey: [answer("What became of a key: without a record nothing.", "asked? error? over? record?")],
  applying: [
    answer(
      "An intent, and how it ended where that is known.",
      "environment intent planId recorded? result? sendBy settleBy step vmid",
    ),
  ],
  audit: [answer("The whole account.", `${PLAN_FILE} explanations observedAndNotDesired`)],
  backedUp: [answer("A backup.", "blobs folder key name root size")],
  canceled: [answer("A plan that was closed.", "by planId seq")],
  checkpointSigned: [answer("A signed checkpoint.", "anchor by key note? root? seq size?")],
  checkpoints: [
    answer(
      "Signed checkpoints of the anchor, a page of them.",
      "anchoredCount firstNote key newestCheckpoint? signedCheckpoints",
    ),
  ],
  clockAccepted: [answer("A clock that was accepted.", "accepted by lastRecordAt seq")],
  comparedPlans: [
    answer("Two plans side by side.", "environment groundsMoved movedVms planAfter planBefore sameCount"),
  ],
  completion: [answer("A script for a shell.", "script shell")],
  contractChecked: [answer("The contract with agents, checked.", "clauses environment server")],
  decision: [
    answer("A decision on a step.", "action? approvalPage? by expiresAt? id needed? planId reason? seq step? vmid?"),
  ],
  desired: [answer("What is registered for an environment.", "desiredDigest? environment id? registeredEntries")],
  drift: [
    answer(
      "What differs.",
      "answers complete counts desiredDigest desiredFile? environment gaps observedAt? unanswered? verdict",
    ),
  ],
  environments: [answer("The environments that the caller has a role in.", "configured")],
  examined: [answer("An installation, examined.", "checks healthy")],
  explained: [
    answer(
      "One answer of a plan.",
      "agreements? asShown? challenge? compared? environment? explanation inWords planId? progress? step? tier?",
    ),
  ],
  exported: [answer("An export.", "blobs folder key note root size")],
  fleet: [answer("The registered VMs, desired beside observed.", "at fleet")],
  frozen: [answer("A freeze, or its end.", "by environment? inFlight seq")],
  help: [answer("The help.", "help")],
  history: [answer("The records of a VM.", "events vmid")],
  identityAccepted: [answer("An identity that was accepted.", "by environment identity seq vmid was")],
  initialised: [answer("A new configuration.", "keyFile provider? written")],
  ingested: [answer("A brought observation.", "complete environment gapCount id observationDigest seq vmCount")],
  intentShown: [
    answer("An intent.", "action end? environment id name planId reference? result? sendBy settleBy step vmid"),
  ],
  inventory: [
    answer("What is at a provider.", "draft environment gaps guests observedAt? unanswered? unread written?"),
  ],
  invited: [answer("An invitation; its link is shown this once.", "expiresAt grants link? name seq")],
  moved: [answer("A ledger that moved.", "from root seal size to")],
  observed: [answer("An observation.", "environment id observation observationDigest replaced unanswered?")],
  planShown: [answer("A recorded plan.", PLANNED)],
  people: [answer("Who signs in or is invited.", "people")],
  planned: [
    answer("A recorded plan that was made now.", `${PLANNED} against? desiredFile? unanswered? unchanged?`),
    answer("A plan from files.", PLAN_FILE),
  ],
  plans: [answer("Recorded plans.", "plans")],
  prepared: [answer("A plan, before it is walked.", "confirms environment planId stepCount untried")],
  proven: [answer("A proof.", "anchored hash key proof seq size written?")],
  reconciled: [answer("An unknown outcome that was ended.", "action? by intent name? seq vmStatus? vmid?")],
  records: [
    answer("Records; an error at the end when the ledger is damaged there.", "error? records"),
    described("With --follow: one record a line.", { $ref: "record.schema.json" }),
  ],
  registered: [answer("A desired state that was registered.", "by changes desiredDigest environment id seq vmCount")],
  remark: [answer("A remark.", "by id recordId? remark seq")],
  replayed: [answer("Every decision came out the same.", "foreign size")],
  joined: [answer("An instance that joined.", "anchor checkpointCovered reason root seq size")],
  restored: [
    answer("A restored ledger.", "anchor anchorCovered? blockedVms frozen keptAs? lost name reason root seq size"),
  ],
  reviewed: [
    answer(
      "One step, as whoever decides on it reads it.",
      "againstApproval againstChallenge againstDenial approvalsGiven attempt? denialsGiven environment explanation inWords planHash planId progress requester step uncounted words",
    ),
  ],
  policyRead: [answer("What a policy file says.", "policyDigest tighten")],
  rules: [answer("Rules.", "rules")],
  serving: [
    described("The one line: where it listens, and its posture.", line("engine kind size url")),
    described("With --check: ready, not-ready or unreachable.", line("kind url")),
  ],
  signedOut: [
    answer("Sessions that ended; or a person, with everything by which they were known.", "id? name seq signsInBy?"),
  ],
  simulation: [
    described("The first line.", line("ca? credentials fingerprint kind url")),
    described("With --follow: one request a line.", line("httpStatus? kind method path")),
  ],
  state: [answer("How things stood.", "blocked freezes last observations open reAnchored? size")],
  status: [
    answer(
      "How things stand.",
      "approved at blocked freezes last observations open overdue policies reAnchored? size waiting",
    ),
  ],
  tokenMade: [answer("A new token.", "expiresAt grants id kind name seq token?")],
  tokenRevoked: [answer("A token that ended.", "id name? seq")],
  tokens: [answer("Active tokens.", "tokens")],
  unlocked: [answer("A ledger that takes writes again.", "name readOnly reason seq")],
  unsealed: [answer("A ledger that goes on.", "copy frozen name seal seq")],
  verified: [
    answer("A ledger that holds.", "blobs checkpoints findings findingsCount head reAnchors root size verified"),
    answer("One that does not.", "checkpoints? error findings findingsCount verified"),
    answer("A proof that holds.", "checkpoint record"),
  ],
  version: [answer("Which Dedalus.", "contract dedalus node")],
  vmShown: [
    answer(
      "What is known of one VM.",
      "adapter approvalMode at blockedIntent? environment frozenNow lastIntent? live newestObservation? numbers openNow? plansOfVm registeredVm? rememberedIdentity? tightened vmid",
    ),
  ],
  vms: [answer("The registered VMs.", "at vms")],
  walked: [
    answer("A walk over a plan.", WALK),
    described("Nothing to apply: the plan.", part("planned")),
    answer("Several VMs, each on its own.", "walks"),
  ],
  whatIf: [
    answer(
      "What a policy would have decided.",
      "judgedApplies judgedPlans policyDigest stepsOtherwise wouldAsk wouldRefuse",
    ),
  ],
  whoami: [answer("Who asks.", "actor expiresAt? grants provenBy server?")],
};

/** What `walks` holds of one VM: as the whole answer would be, without what stands beside it. */
export const WALK_PART: JsonSchema = objectOf(FIELDS, ...WALK.split(" "));
