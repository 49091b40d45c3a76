// The objects that answers are made of, by name: which members each has. What a member means is in fields.ts.

import { ACTIONS } from "../../src/spine/rules/actions.ts";
import { FIELDS } from "./fields.ts";
import { described, type JsonSchema, objectOf, part } from "./json-schema.ts";

const made = (description: string, ...names: readonly string[]): JsonSchema =>
  described(description, objectOf(FIELDS, ...names));

const FACT = { anyOf: [{ type: "string" }, { type: "integer" }, { type: "boolean" }] } as const;

export const PARTS: Readonly<Record<string, JsonSchema>> = {
  action: described("A kind of action.", { enum: Object.keys(ACTIONS) }),
  actor: made("Who asks.", "id", "kind"),
  agreement: made("What one tier needs in one mode.", "agent", "mode", "person", "tier"),
  actAllowed: made("An act; refusals are empty where it would be granted.", "act", "environment?", "refusals"),
  appliedSince: made("An intent on a VM, newer than its observation.", "action", "detail?", "end?", "intent"),
  approvalAwaited: made("A step of an open plan that lacks approvals.", "endsAt?", "planId", "step"),
  approvalRequest: made("Somebody asked people to decide on a step.", "by", "id", "reason?"),
  approvalGiven: made("An approval of a step.", "by", "counted", "expiresAt", "id"),
  asShown: made(
    "An earlier showing, and its record.",
    "agreements",
    "at",
    "by",
    "id",
    "invited",
    "kind",
    "seq",
    "words",
  ),
  attributeChange: made(
    "One attribute that differs; absent on the side that does not have it.",
    "attribute",
    "now?",
    "was?",
  ),
  blocker: made("What the provider forbids.", ..."actions code detail diagnostic? facts? said?".split(" ")),
  challenge: made("What confirms a step once.", "expiresAt", "hash", "id", "typedName", "words"),
  check: made(
    "One thing that was examined.",
    ..."adapter? check code commands? detail facts reAnchored? refusals title".split(" "),
  ),
  checkpoint: made("Size and root of a ledger.", "origin", "root", "size"),
  clauseChecked: made(
    "What came of a clause at one door.",
    ..."clause code? detail? facts? holding title way".split(" "),
  ),
  code: described("A code, stable for programs.", { pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]*$", type: "string" }),
  compared: made("One attribute: what is wanted, and what was seen.", "attribute", "desired", "seen?"),
  counts: made("How many VMs of a plan are what.", "awaitingRestart", "differ", "inSync", "missing", "refused"),
  covered: made("What an anchor covered.", "root", "size"),
  denialGiven: made("A denial of a step.", "by", "id", "reason"),
  desiredFile: made("The desired file against what is registered.", "changes", "file", "kind", "loosenings?", "seq?"),
  diagnostic: made("What came between Dedalus and a provider.", "code", "facts?", "said?"),
  digest: described("A SHA-256 in 64 small hexadecimal digits.", { pattern: "^[0-9a-f]{64}$", type: "string" }),
  entryChange: made("One entry that differs.", "attributes?", "change", "name", "vmid"),
  error: made(
    "An error: never empty of refusals but for a bug and an interruption.",
    "domain",
    "message?",
    "outcome",
    "refusals",
  ),
  event: made(
    "One record that concerns a VM.",
    ..."action? answer? at by end? environment? id intent? kind planId? reason? reference? refusals? seq".split(" "),
  ),
  explanationInWords: made("An explanation, and its words.", "explanation", "inWords"),
  facts: described("Facts by name.", {
    additionalProperties: { anyOf: [...FACT.anyOf, { items: { anyOf: FACT.anyOf.slice(0, 2) }, type: "array" }] },
    propertyNames: { pattern: "^[a-z][A-Za-z0-9]{0,63}$" },
    type: "object",
  }),
  factMoved: made("A fact that is another.", "fact", "factNow?", "factWas?"),
  failure: made("An error on its own.", "beside?", "error", "unanswered?"),
  finding: made("What does not hold.", "cause?", "detail", "facts", "seq?", "what"),
  grant: made("Roles, and where they hold.", "environments", "roles"),
  environmentListed: made(
    "An environment, and how it is changed.",
    ..."adapter approvalMode environment frozenNow live numbers tightened".split(" "),
  ),
  fleetEnvironment: made(
    "An environment, and its registered VMs ascending by vmid.",
    ..."adapter approvalMode counts desiredDigest? environment frozenNow live numbers observationsUsed registeredVms tightened".split(
      " ",
    ),
  ),
  fleetVm: made(
    "A registered VM, how it was observed last, and what a plan on that would answer.",
    ..."appliedSince? approvalsAwaited? blockedBy? cpus? doubt? identity? judged lastObserved? memory? mends? name observationId? openIntent? protected? refusals? stop? target vmStatus vmid".split(
      " ",
    ),
  ),
  freeze: made("A freeze.", "at", "by", "environment?", "id", "reason"),
  head: made("The last record of a ledger.", "hash", "size"),
  instant: described("A time in UTC, with milliseconds.", {
    pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$",
    type: "string",
  }),
  intent: made(
    "One step that was claimed to be performed.",
    ..."action end? environment id name planId reference? sendBy settleBy step vmid".split(" "),
  ),
  intentInWords: made(
    "An intent, and how it ended in words.",
    ..."action detail? end? environment id name planId reference? sendBy settleBy step vmid".split(" "),
  ),
  invitedParty: made("Somebody who was invited, and their part in a step.", "invitedBy", "name", "party"),
  inWords: made("An explanation as people read it.", "effect", "lines", "undo", "weighed"),
  loosening: made("What protected a VM, and would be gone.", "kind", "name", "vmid"),
  nextStep: made("What can be asked for next; a door spells it in its own way.", "ask", "with"),
  needs: described("What a tier needs; refused where nobody's agreement is enough.", {
    anyOf: [{ const: "refused" }, objectOf(FIELDS, "approvals", "confirmation", "ownCounts", "typedName")],
  }),
  observationUsed: made(
    "A recorded observation.",
    ..."ageSeconds at brought? complete id live observationDigest observedAt? unseen".split(" "),
  ),
  observationRef: made("A recorded observation.", "environment", "id", "observedAt?"),
  registeredEntry: made(
    "One VM, as it is desired.",
    ..."cpus? identity? memory? name protected? stop? target vmid".split(" "),
  ),
  signedCheckpoint: made("A checkpoint, and what it says.", "note", "root", "size"),
  vmSeen: made("How a VM was seen.", "ageSeconds", "appliedSince?", "at", "vmStatus"),
  planSide: made("A recorded plan; by: who asked for it.", "by", "hash", "id", "observedAt?", "verdictKind"),
  planDoes: made("Steps of a plan that do the same; the VM where it is one.", "action", "count", "name?", "vmid?"),
  planOfVm: made(
    "A recorded plan, what it answers for the VM, and how that step stands; by: who asked for it.",
    ..."action? by closed? endsAt? id judged observedAt? refusals? status? step? tier? verdictKind".split(" "),
  ),
  planListed: made(
    "A recorded plan.",
    ..."by closed? counts does environment id observedAt? status stepCount triedCount verdictKind".split(" "),
  ),
  policy: made("A policy.", "environment", "tighten"),
  position: made("A place in a file.", "column", "field", "file", "line"),
  provider: made("A provider.", "apply?", "observe", "sha256", "url"),
  reAnchor: made("An anchor that was made anew.", "at", "by", "found", "lost?", "reason", "seq", "size"),
  reAnchored: made("The last of them.", "at", "by", "count", "found", "lost?", "reason", "seq", "size"),
  refusal: made(
    "A refusal: code, cause and facts for programs, text for people.",
    ..."about? cause? code facts nextSteps? position? rule stage text vmid?".split(" "),
  ),
  person: made(
    "A person.",
    ..."called? expiresAt? grants groups? invitedBy? issuer? name sessions signedInAt? signsInBy sub?".split(" "),
  ),
  requester: made("Who asked for a plan.", "door", "id", "invitedBy?", "kind", "maker?"),
  rule: made("A rule.", "codes", "id", "kept", "sentence"),
  ruleCode: made("A code that keeps a rule.", "code", "stage", "text"),
  session: made("A session, without its secret.", "expiresAt", "id"),
  stated: made("A cause with its facts.", "cause", "facts"),
  stepApplied: made("A step that was tried.", "intent", "recorded", "result", "step"),
  stepToMend: made("The step that would mend a VM.", ..."action applies detail facts power stepReason".split(" ")),
  stepOtherwise: made(
    "A step of which a policy would have asked more; by: who asked for its plan.",
    ..."action by decided environment judgedWhen name planId seq step vmid would".split(" "),
  ),
  stepShown: made(
    "How a step stands.",
    ..."agreements approvalRequests approvedBy endsAt? invited needed objections status step tier uncounted vmid".split(
      " ",
    ),
  ),
  stepApproved: made(
    "A step that has its approvals; by: who asked for its plan.",
    ..."action approvedBy by endsAt? environment name planId step tier vmid".split(" "),
  ),
  stepWaiting: made(
    "A step that lacks approvals; by: who asked for its plan.",
    ..."action approvalRequests approvedBy by endsAt? environment explanationHash? invited name needed ownCounts planId step tier vmid".split(
      " ",
    ),
  ),
  tierAsked: made("A tier, and what it needs.", "needs", "tier"),
  wouldRefusal: made("Why it would have been refused.", "refusals"),
  text: made("The words of a refusal.", "detail", "next", "summary", "why?"),
  token: made("A token, without its secret.", "expired", "expiresAt", "grants", "id", "kind", "maker?", "name"),
  ulid: described("A ULID: 26 digits of Crockford's base 32.", {
    pattern: "^[0-7][0-9A-HJKMNP-TV-Z]{25}$",
    type: "string",
  }),
  unanswered: made(
    "What was not seen: a provider, a VM, or something of it.",
    "code",
    "detail",
    "diagnostic?",
    "facts?",
    "said?",
  ),
  unchanged: made("A plan that stands.", "endsAt"),
  vm: made("A registered VM.", "environment", "name", "observed?", "protected?", "target", "vmid"),
  vmMoved: made(
    "A VM for which two plans answer otherwise; attributes: of its entry, where that is another.",
    ..."answerAfter? answerBefore? attributes? attributesText? factsMoved membersMoved stateChanged? stateText? textAfter? textBefore? vmid".split(
      " ",
    ),
  ),
  vmObservation: made(
    "The newest observation that tells of the VM, and what it says of it.",
    ..."ageSeconds at brought? complete id live observationDigest observedAt? unseen vmState?".split(" "),
  ),
  vmLastSeen: made("A VM, as it was observed.", "blockers?", "cpus?", "maxmem?", "name", "onNode?", "pending?"),
  vmid: described("The VM's number in its environment.", { maximum: 999_999_999, minimum: 1, type: "integer" }),
  vmRef: made("A VM.", "environment", "vmid"),
  walkOne: described("What came of one VM.", { anyOf: [part("walk"), part("planned"), part("failure")] }),
  weighed: made("A rule that was weighed.", "evidence", "held", "rule"),
  withheld: made("A step that was not asked about.", "objections", "step", "vmid"),
};
