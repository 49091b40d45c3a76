// Who asks, as the request shows it: a token and nothing else. Whom it proves is found by the service, on the state
// that the request meets. keeps B2
//
// Not here: limits (caller-limits.ts), sign-in pages.

import type { IncomingHttpHeaders } from "node:http";
import type { Ulid } from "../../ledger/record/record.ts";
import { keyIn } from "../../ledger/record/spelled-key.ts";
import type { RefusedAnswer } from "../../service/answer.ts";
import { type Caller, type CallerCredential, tokenCredential } from "../../service/hold/callers.ts";
import { unauthenticated, unfitRequest } from "./door-refusal.ts";

/** Visible ASCII without a blank; longer than any token of ours. */
const BEARER = /^Bearer ([\x21-\x7e]{1,512})$/i;

export const credentialIn = ({ authorization }: IncomingHttpHeaders): CallerCredential | RefusedAnswer => {
  if (authorization === undefined) return unauthenticated();
  const [, token] = BEARER.exec(authorization) ?? [];
  return token === undefined
    ? unfitRequest({
        cause: "header-wrong",
        facts: { expected: "Bearer, a blank and the token", header: "authorization" },
      })
    : tokenCredential(token);
};

/** A POST needs a key, so that asking twice does nothing twice; a GET has none. */
export const keyOf = (method: string, headers: IncomingHttpHeaders): Ulid | RefusedAnswer | undefined => {
  if (method !== "POST") return undefined;
  const given = headers["idempotency-key"];
  if (given === undefined) return unfitRequest({ cause: "header-missing", facts: { header: "Idempotency-Key" } });
  return (
    keyIn(String(given)) ??
    unfitRequest({ cause: "header-wrong", facts: { expected: "a ULID or a UUIDv7", header: "Idempotency-Key" } })
  );
};

export const callerOf = (
  credential: CallerCredential,
  more: Pick<Caller, "atLeast" | "correlationId" | "key" | "signal">,
): Caller => ({ credential, door: "service", ...more });
