// The fingerprint of whatever answers at an address, for a person to compare. keeps B4
//
// It trusts nobody: the handshake is made against a pin that no certificate has, and ends there. Nothing is sent.

import { addressOf, dial } from "../../../dial/trust.ts";
import type { Diagnostic } from "../../../spine/diagnostic-codes.ts";
import { diagnostic } from "../../../spine/diagnostic-codes.ts";
import { LIMITS } from "./connection.ts";

/** The SHA-256 fingerprint, or why there is none. */
export const fetchFingerprint = async (url: string): Promise<string | Diagnostic> => {
  const dialled = await dial(addressOf(url), { sha256: "", verify: "pinned" }, LIMITS.connectMs);
  if (dialled.kind === "failed") return dialled.shown ?? dialled.why;
  dialled.socket.destroy();
  return diagnostic("certificate-not-shown");
};
