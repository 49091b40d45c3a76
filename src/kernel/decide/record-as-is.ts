// Deciders of what is recorded as it is: a process that starts, what is desired, an observation, a note.

import type { Ulid } from "../../ledger/record/record.ts";
import type { DesiredState, Numbers, Refusal, Sha256 } from "../../spine/model.ts";
import { desiredPieces, desiredStateOf } from "../../spine/plan/desired-state.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { sha256 } from "../../spine/values/hash.ts";
import { NO_IDENTITIES } from "../../spine/values/identities.ts";
import { observationPieces, ordered } from "../../spine/values/observation.ts";
import { joinedText } from "../command/blob-bytes.ts";
import type { Requests } from "../command/request.ts";
import { DONE, refused, unless } from "../command/result.ts";
import { servingDigest } from "../command/serving.ts";
import { find, get } from "../state/persistent-map.ts";
import { recall } from "../state/recent.ts";
import { rootOfEntries } from "../state/registered-entry.ts";
import { openIntent, type State } from "../state/state.ts";
import { altered, environmentOf, reasonRefusal, unknownEnvironment } from "./grounds.ts";
import { providerClockRefusal } from "./judge-clock.ts";
import { broughtRefusals } from "./ledger-acts.ts";
import { observedResult, rememberedFor } from "./remember-identities.ts";
import type { Decider } from "./rulebook.ts";

/** The catalogue is stored with the first start that names it. */
export const decideStart: Decider<"start"> = (state, command) =>
  unless([...broughtRefusals(state, command), servesRefusal(command.request)], () => {
    const { words } = command.request;
    if (find(state.programs, (program) => program.words === words) !== undefined) return DONE;
    const text = command.given?.words;
    if (text === undefined || sha256(text) !== words) return refused(altered("words"));
    return { ...DONE, blobs: new Map([[words, text]]) };
  });

/** What a serving process says that it serves is of the configuration that it brings. */
const servesRefusal = ({ config, serves }: Requests["start"]): Refusal | undefined =>
  serves === undefined || serves === servingDigest(config) ? undefined : altered("configuration");

export const decideRegistration: Decider<"register"> = (state, command) => {
  const { environment, given, request } = command;
  const desired = given?.desired;
  const sealed = desired === undefined ? undefined : desiredStateOf(desired.environment, desired.entries);
  const isSame =
    desired !== undefined &&
    sealed !== undefined &&
    "digest" in sealed &&
    sealed.digest === request.desired &&
    sealed.entries.length === request.vms &&
    sealed.entries.every(({ kind }) => kind === "desired") &&
    rootOfEntries(sealed) === request.root;
  const configured = environmentOf(state, command);
  if (configured === undefined) return refused(unknownEnvironment(command));
  // Before the value itself: whoever compared with something else did not see what this would take away. keeps N2
  if (get(state.desired, environment ?? "")?.digest !== request.before) {
    return refused(refuse("desired-moved", { facts: { environment: environment ?? "" } }));
  }
  if (!isSame) return refused(altered("desired"));
  const text = joinedText(desiredPieces(sealed.environment, sealed.entries));
  const blobs = new Map([[request.desired, text]]);
  // What was judged on the value itself is recorded with it, so that it can be judged again.
  const refusal =
    desired.environment === environment
      ? unidentified(sealed, configured.numbers)
      : refuse("plan-foreign", { cause: "file", facts: { of: desired.environment } });
  return refusal === undefined ? { ...DONE, blobs } : { ...refused(refusal), blobs };
};

const unidentified = ({ entries }: DesiredState, numbers: Numbers): Refusal | undefined => {
  const lacking = numbers === "operator" ? entries.filter(({ identity }) => identity === undefined) : [];
  const [first] = lacking;
  if (first === undefined) return undefined;
  return refuse("identity-required", { cause: "registered", facts: { entries: lacking.length, first: first.vmid } });
};

export const decideObservation: Decider<"observe" | "ingest"> = (state, command, at) => {
  const { environment = "", given, kind, request } = command;
  const observation = given?.observation;
  const whole = observation === undefined ? undefined : ordered(observation);
  // Written once: the digest is that of the blob's own text.
  const text = whole === undefined ? "" : joinedText(observationPieces(whole));
  const isSame =
    whole !== undefined &&
    sha256(text) === request.observation &&
    whole.environment === command.environment &&
    whole.complete === request.complete &&
    whole.gaps.length === request.gaps &&
    whole.vms.length === request.vms &&
    whole.observedAt === request.observedAt &&
    isDuration(request.tookMs);
  const configured = environmentOf(state, command);
  if (configured === undefined) return refused(unknownEnvironment(command));
  const remembers = kind === "observe" && configured.live;
  const clock = remembers ? providerClockRefusal(request, at) : undefined;
  if (clock !== undefined) return refused(clock);
  const before = remembers ? rememberedFor(state, command) : NO_IDENTITIES;
  if ("kind" in before) return refused(before);
  if (!isSame) return refused(altered("observation"));
  const { blobs, result } = remembers ? observedResult(state, environment, before, whole) : ANYTHING;
  return { blobs: new Map([[request.observation, text], ...blobs]), result };
};

/** An observation that was pushed or replayed is recorded as it is. */
const ANYTHING = { blobs: new Map<Sha256, string>(), result: DONE.result };

/** No observation takes longer. One that took less than nothing would be younger than it is. */
const TOOK_MAX_MS = 24 * 60 * 60_000;
const isDuration = (ms: number | undefined): boolean => ms === undefined || (ms >= 0 && ms <= TOOK_MAX_MS);

/** A remark about a plan, an intent or an observation stands in its environment. keeps B3 */
export const decideNote: Decider<"annotate"> = (state, { environment, request }) => {
  const { about } = request;
  const of = about === undefined ? undefined : environmentOfRecord(state, about);
  const foreign = of === undefined || of === environment ? undefined : refuse("plan-foreign", { cause: "record" });
  return unless([foreign, reasonRefusal(request.text)], () => DONE);
};

/** Undefined where the state remembers no such record. */
const environmentOfRecord = (state: State, id: Ulid): string | undefined =>
  (recall(state.plans, id) ?? openIntent(state, id) ?? recall(state.intents, id) ?? recall(state.observations, id))
    ?.environment;
