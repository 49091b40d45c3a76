// Who is signed in, as the door says it: the name, the word of the session, and the contract that the door speaks.
//
// The word is held in memory while a page is open, and nowhere else.

import type { ConsoleSession } from "../../boundary/contract/console-session.ts";
import { readJson } from "./get.ts";

/** The digest of the contract that this page was built for. */
declare const BUILT_FOR: string;

export type VisitorSession = NonNullable<ConsoleSession["signedIn"]>;

export type VisitorHeard =
  | { readonly kind: "signed-in"; readonly session: VisitorSession }
  | { readonly kind: "signed-out" }
  /** This page was built for another service than the one that answers. */
  | { readonly kind: "foreign-contract" }
  | { readonly kind: "lost" };

export const readVisitorSession = async (signal?: AbortSignal): Promise<VisitorHeard> => {
  const heard = await readJson<ConsoleSession>("/console/session", signal);
  if (heard.kind !== "read") return { kind: heard.kind === "signed-out" ? "signed-out" : "lost" };
  const { contract, signedIn } = heard.value;
  if (contract !== BUILT_FOR) return { kind: "foreign-contract" };
  return signedIn === undefined ? { kind: "signed-out" } : { kind: "signed-in", session: signedIn };
};
