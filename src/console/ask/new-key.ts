// The key of one act, made when somebody presses: chance, and the time that the service told, because a page reads no
// clock. A UUIDv7, so that keys lie in the order of time where they are stored.
//
// The only reader of chance among the pages: nothing that is shown depends on it.

const BYTES = 16;
const TIME_DIGITS = 12;

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** `atMs` is the service's time in milliseconds. */
export const keyFrom = (atMs: number, chance: Uint8Array): string => {
  const [, , , , , , version = 0, , variant = 0] = chance;
  const bytes = Uint8Array.from(chance);
  bytes[6] = (version & 0x0f) | 0x70;
  bytes[8] = (variant & 0x3f) | 0x80;
  const digits = atMs.toString(16).padStart(TIME_DIGITS, "0").slice(-TIME_DIGITS) + hex(bytes).slice(TIME_DIGITS);
  return [8, 12, 16, 20, 32].map((to, at) => digits.slice([0, 8, 12, 16, 20][at], to)).join("-");
};

export const newKey = (atMs: number): string => keyFrom(atMs, crypto.getRandomValues(new Uint8Array(BYTES)));
