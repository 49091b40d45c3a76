// Deciders of what is recorded as it is: a process that starts, what is desired, a look, a note.

import { sha256 } from "../spine/hash.ts";
import type { Refusal } from "../spine/model.ts";
import { observationPieces, ordered } from "../spine/observation.ts";
import { refuse } from "../spine/refusals.ts";
import { wishesOf, wishesPieces } from "../spine/wishes.ts";
import { bytesOf, joinedText } from "./blob-bytes.ts";
import { configHash } from "./config-snapshot.ts";
import { nameRefusal } from "./decide-token.ts";
import { environmentRefusal, reasonRefusal } from "./grounds.ts";
import { get } from "./persistent-map.ts";
import { rootOfEntries } from "./registered-entry.ts";
import { type Decider, DONE, refused, unless } from "./result.ts";

export const decideStart: Decider<"start"> = (state, { configHash: named, request: { config } }) =>
  unless(
    [
      configHash(config) === named
        ? undefined
        : refuse("value-altered", { because: "the configuration is not the one that its hash names" }),
      nameRefusal(config.operator),
      get(state.subjects, config.operator) === undefined
        ? undefined
        : refuse("token-known", {
            because: `${config.operator} has a token, and would be two subjects of one name`,
            next: `Name another operator, or have that token revoked: dedalus token revoke --name ${config.operator}`,
          }),
    ],
    () => DONE,
  );

export const decideDesired: Decider<"desire"> = (state, command) => {
  const { environment, given, request } = command;
  const wishes = given?.wishes;
  const sealed = wishes === undefined ? undefined : wishesOf(wishes.environment, wishes.wishes);
  const isSame =
    wishes !== undefined &&
    sealed !== undefined &&
    "digest" in sealed &&
    sealed.digest === request.wishes &&
    sealed.wishes.length === request.vms &&
    sealed.wishes.every(({ kind }) => kind === "desired") &&
    rootOfEntries(sealed) === request.root;
  const missing = environmentRefusal(state, command);
  if (missing !== undefined) return refused(missing);
  if (!isSame) return refused(altered("the desired file"));
  const text = joinedText(wishesPieces(sealed.environment, sealed.wishes));
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
    whole.observedAt === request.observedAt &&
    whole.vms.length === request.vms &&
    whole.gaps.length === request.gaps;
  const missing = environmentRefusal(state, command);
  if (missing !== undefined) return refused(missing);
  return isSame
    ? { ...DONE, blobs: new Map([[request.observation, bytesOf(text)]]) }
    : refused(altered("the observation"));
};

export const decideNote: Decider<"annotate" | "rearm"> = (_, { kind, request }) =>
  unless([reasonRefusal(kind === "annotate" ? request.text : request.reason)], () => DONE);
