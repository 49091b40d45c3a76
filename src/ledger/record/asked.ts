// What a key was used for: what the door was asked, by its digest; or, where a record stands for itself, where
// something was asked, what kind of thing, and the request. The same key with anything else is refused. When it was
// asked, and by which try, is not part of it.
//
// Every record holds all of it, so the lines alone determine the hash that stands beside a used key.

import { sha256 } from "../../spine/values/hash.ts";
import type { KeyUse } from "../engine.ts";
import { canonicalText } from "./profile.ts";
import type { LedgerRecord } from "./record.ts";

/** The use of a key that a record is. */
export const keyUseOf = ({ actor, asked, body, environment, idempotencyKey, kind, seq }: LedgerRecord): KeyUse => ({
  caller: actor.id,
  key: idempotencyKey,
  request: asked ?? sha256(canonicalText({ environment: environment ?? null, kind, request: body["request"] ?? null })),
  seq,
});
