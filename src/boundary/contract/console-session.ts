// What a page of the console is told of its session, by the door that it came from.
//
// The word of the session (`csrf`) goes into the header of what a page asks for beyond reading; it is kept in memory
// and nowhere else. The time is the service's: a page reads no clock.

import type { Sha256 } from "../../spine/model.ts";

export const CSRF_HEADER = "Dedalus-CSRF";

/** The head that an answer stands on, where it is no tag of it: the same head may be answered otherwise. */
export const HEAD_HEADER = "Dedalus-Head";

export type ConsoleSession = {
  /** The digest of the OpenAPI file: a page that was built for another one asks for nothing. */
  readonly contract: Sha256;
  /** Absent where nobody is signed in. `atMs` is the service's time in milliseconds. */
  readonly signedIn?: { readonly atMs: number; readonly csrf: string; readonly name: string };
};
