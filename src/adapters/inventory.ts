// The listing side of an adapter: what is there, whether anybody wrote it down or not. keeps N3
//
// A port of its own, because a source never discovers: nothing that observes or plans can reach it, and a test holds
// that. What it gives is for a person to edit, and never planning input.

import type { Gap } from "../spine/observed-codes.ts";
import type { ClockedObservation } from "./source.ts";

export type Inventoried =
  /** `unread` counts what was listed and could not be read. */
  | { readonly kind: "listed"; readonly observation: ClockedObservation; readonly unread: number }
  | { readonly kind: "unanswered"; readonly unseen: Gap };

/** All guests that the credential to observe can see. It only reads. */
export type Inventory = (signal: AbortSignal) => Promise<Inventoried>;
