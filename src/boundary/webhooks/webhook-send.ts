// One attempt to deliver a message. Only a 2xx in time is a delivery; redirects are not followed, and nothing of the
// answer is read but its status.
//
// The server is verified by the authorities of the system; plain http stays on this machine, which the configuration
// sees to.

import type { SignedRequest } from "./webhook-request.ts";

export type Attempt =
  | { readonly kind: "delivered"; readonly status: number }
  /** `gone`: the receiver says that it wants no more of this. */
  | {
      readonly kind: "failed";
      readonly cause: "gone" | "redirected" | "refused" | "timeout" | "unreachable";
      readonly status?: number;
    };

const GONE = 410;

export const sendWebhook = async (
  url: string,
  { body, headers }: SignedRequest,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Attempt> => {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await fetch(url, {
      body,
      headers: { ...headers, "user-agent": "dedalus" },
      method: "POST",
      redirect: "manual",
      signal: AbortSignal.any([signal, timeout]),
    });
    await answer.body?.cancel();
    return attemptOf(answer.status);
  } catch {
    return { cause: timeout.aborted ? "timeout" : "unreachable", kind: "failed" };
  }
};

const attemptOf = (status: number): Attempt => {
  if (status >= 200 && status < 300) return { kind: "delivered", status };
  const cause = status === GONE ? "gone" : status >= 300 && status < 400 ? "redirected" : "refused";
  return { cause, kind: "failed", status };
};
