// The name under which somebody is recorded from their first sign-in on, made from what their provider calls them.
//
// A name that fits and is free is taken as it is. Any other gets a few characters of a hash of who they are at the
// provider: what it calls them may change or be given to somebody else, and that hash does not. The kernel decides
// whether the name may be taken (decide/session-acts.ts). keeps B2

import { canonical } from "../../spine/values/canonical.ts";
import { sha256 } from "../../spine/values/hash.ts";
import { isSubject } from "../../spine/values/subject.ts";

/** Who somebody is at a provider of identities: nothing else is never given to another. */
export type IssuedIdentity = { readonly issuer: string; readonly sub: string };

const SUFFIX_LENGTHS = [8, 16, 32] as const;
/** With the longest suffix it is still a name. */
const BASE_MAX = 31;

/** What of it could stand in a name: without accents and the domain of an address, in small letters. */
const baseOf = (called: string): string => {
  const [local = ""] = called.split("@");
  const plain = local.normalize("NFKD").toLowerCase().replaceAll(/\p{M}/gu, "");
  const parts = plain.split(/[^a-z0-9]+/).filter((part) => part !== "");
  const base = parts.join("-").slice(0, BASE_MAX).replace(/-$/, "");
  return /^[a-z]/.test(base) ? base : "person";
};

export const proposedSubject = (
  called: string,
  identity: IssuedIdentity,
  isFree: (name: string) => boolean,
): string => {
  if (isSubject(called) && isFree(called)) return called;
  const hash = sha256(canonical([identity.issuer, identity.sub]));
  const base = baseOf(called);
  const proposals = SUFFIX_LENGTHS.map((length) => `${base}-${hash.slice(0, length)}`);
  return proposals.find(isFree) ?? `${base}-${hash.slice(0, SUFFIX_LENGTHS[2])}`;
};
