// Remembered identities at the kernel: what an observation adds to them, and an operator's word that another VM is
// meant.
//
// The state holds the digest of an environment's map, the map itself is a blob; whoever decides on it brings it, and it
// is held against that digest. Only live observations remember: what is replayed or pushed says nothing of what is.
// What was deleted, by us or by others, stays remembered; whatever wears its number later is another VM. Keeps N8.

import type { Observation, Refusal, Sha256, Vmid, VmState } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { sha256 } from "../../spine/values/hash.ts";
import {
  type Identities,
  identitiesDigest,
  identitiesText,
  identityIn,
  NO_IDENTITIES,
  recognised,
  withIdentity,
} from "../../spine/values/identities.ts";
import type { Command } from "../command/request.ts";
import { type Blobs, type Decision, refused, unless } from "../command/result.ts";
import { get } from "../state/persistent-map.ts";
import type { State } from "../state/state.ts";
import { environmentOf, liveObservation, reasonRefusal, staleRefusal, unknownEnvironment } from "./grounds.ts";
import type { Decider } from "./rulebook.ts";

/** What is remembered for the environment of the command, as it was brought and is in the state. */
export const rememberedFor = (state: State, { environment = "", given }: Command): Identities | Refusal => {
  const digest = get(state.identities, environment);
  if (digest === undefined) return NO_IDENTITIES;
  const { identities } = given ?? {};
  return identities !== undefined && identitiesDigest(environment, identities) === digest
    ? identities
    : refuse("identities-moved", {});
};

/** Enough to find them; an observation of a whole fleet that was rebuilt still fits its record. */
const CHANGED_MAX = 100;

/** What a live observation comes to. */
export const observedResult = (
  state: State,
  environment: string,
  before: Identities,
  { vms }: Observation,
): Required<Decision> => {
  const { after, changed } = recognised(before, vms);
  const named = changed.length === 0 ? undefined : { count: changed.length, vmids: changed.slice(0, CHANGED_MAX) };
  const known = get(state.identities, environment);
  const { blobs, digest } = after === before ? { blobs: NONE, digest: known } : written(environment, after);
  return {
    blobs,
    result: {
      ...(named === undefined ? undefined : { changed: named }),
      ...(digest === undefined ? undefined : { identities: digest }),
      kind: "observed",
    },
  };
};

const NONE: Readonly<Blobs> = new Map();

const written = (environment: string, identities: Identities): { readonly blobs: Blobs; readonly digest: Sha256 } => {
  const text = identitiesText(environment, identities);
  const digest = sha256(text);
  return { blobs: new Map([[digest, text]]), digest };
};

/**
 * The identity must have been seen, in a recorded live observation that is fresh, and be another than the remembered.
 */
export const decideAcceptIdentity: Decider<"accept-identity"> = (state, command, at) => {
  const { environment = "", request } = command;
  const configured = environmentOf(state, command);
  if (configured === undefined) return refused(unknownEnvironment(command));
  const shown = liveObservation(state, command, request.observation);
  if ("kind" in shown) return refused(shown);
  const before = rememberedFor(state, command);
  if ("kind" in before) return refused(before);
  const { identity, vmid } = request;
  const seen = shown.observation.vms.find((one) => one.vmid === vmid);
  const was = identityIn(before, vmid);
  return unless(
    [
      staleRefusal(shown.recorded, configured, at),
      unobserved(seen, identity, vmid),
      was !== undefined && was !== identity
        ? undefined
        : refuse("identity-not-changed", { cause: was === undefined ? "unseen" : "same", vmid }),
      reasonRefusal(request.reason),
    ],
    () => {
      const { blobs, digest } = written(environment, withIdentity(before, vmid, identity));
      return { blobs, result: { identities: digest, kind: "identity-accepted", was: was ?? "" } };
    },
  );
};

const unobserved = (seen: VmState | undefined, identity: string, vmid: Vmid): Refusal | undefined => {
  if (seen?.identity === undefined) return refuse("identity-not-observed", { cause: "none", vmid });
  if (seen.identity !== identity)
    return refuse("identity-not-observed", { cause: "other", facts: { observed: seen.identity }, vmid });
  return seen.status === "unknown" ? refuse("identity-not-observed", { cause: "unknown", vmid }) : undefined;
};
