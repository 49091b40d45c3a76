// A value that a browser keeps for the service and cannot read or change: encrypted, for one purpose, until an
// instant.
//
// No instance remembers a sign-in that is under way: what it must know again comes back sealed, also to another
// instance that has the same key. Not here: what is sealed (sign-in-flow.ts, session-cookie.ts). Keeps B5.

import { createCipheriv, createDecipheriv, createHash, hkdfSync } from "node:crypto";
import type { Instant } from "../../spine/model.ts";

export type SealPurpose = "author" | "passkey" | "reason" | "session" | "sign-in";

export type Sealer = {
  /** undefined where it is not ours, of another purpose, altered, or over. */
  readonly open: (purpose: SealPurpose, sealed: string, now: Instant) => unknown;
  readonly seal: (purpose: SealPurpose, value: object, until: Instant) => string;
};

const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/** `chance` gives a text that never comes twice; nothing is sealed twice under one of them. */
export const sealerOf = (secret: string, chance: () => string): Sealer => {
  const keys = new Map<SealPurpose, Buffer>();
  const keyFor = (purpose: SealPurpose): Buffer => {
    const known = keys.get(purpose);
    if (known !== undefined) return known;
    const key = Buffer.from(hkdfSync("sha256", secret, "dedalus", purpose, KEY_BYTES));
    keys.set(purpose, key);
    return key;
  };
  return {
    open: (purpose, sealed, now) => {
      const bytes = Buffer.from(sealed, "base64url");
      if (bytes.length <= IV_BYTES + TAG_BYTES || bytes.toString("base64url") !== sealed) return undefined;
      const decipher = createDecipheriv("aes-256-gcm", keyFor(purpose), bytes.subarray(0, IV_BYTES));
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      const text = finish(() => [decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
      if (text === undefined) return undefined;
      const { until, value } = JSON.parse(text) as { readonly until: Instant; readonly value: unknown };
      return now < until ? value : undefined;
    },
    seal: (purpose, value, until) => {
      const iv = createHash("sha256").update(chance()).digest().subarray(0, IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", keyFor(purpose), iv);
      const body = Buffer.concat([cipher.update(JSON.stringify({ until, value }), "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url");
    },
  };
};

/** What does not carry the tag of this key throws there, and is nobody's. */
const finish = (parts: () => readonly Uint8Array[]): string | undefined => {
  try {
    return Buffer.concat(parts()).toString("utf8");
  } catch {
    return undefined;
  }
};
