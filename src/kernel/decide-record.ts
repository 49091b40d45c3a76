// Deciders of what is recorded as it is: a process that starts, what is desired, a look, a token, a note.

import { sha256 } from "../spine/hash.ts";
import type { Refusal } from "../spine/model.ts";
import { observationPieces, ordered } from "../spine/observation.ts";
import { refuse } from "../spine/refusals.ts";
import { wishesOf, wishesPieces } from "../spine/wishes.ts";
import { bytesOf, joinedText } from "./blob-bytes.ts";
import { configHash } from "./config-snapshot.ts";
import { environmentRefusal, reasonRefusal } from "./grounds.ts";
import { get } from "./persistent-map.ts";
import { type Decider, DONE, refused, unless } from "./result.ts";

export const decideStart: Decider<"start"> = (_, command) =>
  configHash(command.request.config) === command.configHash
    ? DONE
    : refused(refuse("value-altered", { because: "the configuration is not the one that its hash names" }));

export const decideDesired: Decider<"desire"> = (state, command) => {
  const { environment, given, request } = command;
  const wishes = given?.wishes;
  const sealed = wishes === undefined ? undefined : wishesOf(wishes.environment, wishes.wishes);
  const isSame =
    wishes !== undefined &&
    sealed !== undefined &&
    "digest" in sealed &&
    sealed.digest === request.wishes &&
    wishes.wishes.length === request.vms &&
    wishes.wishes.every(({ kind }) => kind === "desired");
  const missing = environmentRefusal(state, command);
  if (missing !== undefined) return refused(missing);
  if (!isSame) return refused(altered("the desired file"));
  const text = joinedText(wishesPieces(wishes.environment, wishes.wishes));
  const blobs = new Map([[request.wishes, bytesOf(text)]]);
  // What was judged on the value itself is recorded with it, so that it can be judged again.
  return wishes.environment === environment
    ? { ...DONE, blobs }
    : { ...refused(refuse("plan-foreign", { because: `the file is of ${wishes.environment}` })), blobs };
};

const altered = (what: string): Refusal =>
  refuse("value-altered", { because: `${what} is not the one that its digest names` });

export const decideLook: Decider<"observe" | "ingest"> = (state, command) => {
  const { given, request } = command;
  const observation = given?.observation;
  const whole = observation === undefined ? undefined : ordered(observation);
  // Written once: the digest is that of the blob's own text.
  const text = whole === undefined ? "" : joinedText(observationPieces(whole));
  const isSame =
    whole !== undefined &&
    sha256(text) === request.observation &&
    whole.environment === command.environment &&
    whole.complete === request.complete &&
    whole.observedAt === request.observedAt;
  const missing = environmentRefusal(state, command);
  if (missing !== undefined) return refused(missing);
  return isSame
    ? { ...DONE, blobs: new Map([[request.observation, bytesOf(text)]]) }
    : refused(altered("the observation"));
};

export const decideToken: Decider<"token"> = (state, { request }) => {
  const { act, hash, subject } = request;
  const known = get(state.tokens, hash);
  if (act === "revoke") {
    return known === undefined ? refused(refuse("token-unknown", { because: "no token has this hash" })) : DONE;
  }
  const taken = get(state.subjects, subject.id) !== undefined || known !== undefined;
  return unless(
    [
      reasonRefusal(subject.id),
      taken ? refuse("token-known", { because: `${subject.id} has a token that stands` }) : undefined,
      subject.kind === "agent" && subject.roles.some((role) => role !== "agent" && role !== "observer")
        ? refuse("agent-decides", { because: "an agent's token has the role agent or observer, and no other" })
        : undefined,
    ],
    () => DONE,
  );
};

export const decideNote: Decider<"annotate" | "rearm"> = (_, { kind, request }) =>
  unless([reasonRefusal(kind === "annotate" ? request.text : request.reason)], () => DONE);

/** What was verified and is accepted is a beginning of this very ledger; others may have written behind it since. */
export const decideReAnchor: Decider<"re-anchor"> = (state, { request }) =>
  unless(
    [
      reasonRefusal(request.reason),
      request.size > 0 && request.size <= state.size
        ? undefined
        : refuse("value-altered", {
            because: `${request.size} records are accepted, and the ledger has ${state.size}`,
          }),
    ],
    () => DONE,
  );
