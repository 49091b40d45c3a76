// A session for the browser that somebody signed in with: its token is made here, and kept by that browser alone.
//
// Keeps B5: nobody else is ever shown it, and the ledger knows its hash.

import { sha256 } from "../../spine/values/hash.ts";
import type { IdentityDesk, IdentityRefused, ProvenPerson } from "./identity-desk.ts";

export type BrowserSession = { readonly cookie: string; readonly csrf: string; readonly subject: string };

export const openBrowserSession = async (
  { calls, cookies, now, publicId, secretText }: IdentityDesk,
  proof: ProvenPerson,
): Promise<BrowserSession | IdentityRefused> => {
  const id = publicId();
  const token = `dedalus_${id}_${secretText()}`;
  const signed = await calls.signIn(proof, { hash: sha256(token), id });
  if (!("subject" in signed)) return signed;
  return { cookie: cookies.issue(token, now()), csrf: cookies.csrf(token), subject: signed.subject };
};
