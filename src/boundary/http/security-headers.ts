// Headers of every answer: nothing here is to be framed, sniffed, kept by a cache or handed to another page.

export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "private, no-cache",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  vary: "Authorization, Cookie",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** Over TLS: for a year nobody asks without it. */
export const TRANSPORT_SECURITY: Readonly<Record<string, string>> = { "strict-transport-security": "max-age=31536000" };

/** Of whatever may hold a secret, or is an answer to an act. */
export const NOT_KEPT = "no-store";
