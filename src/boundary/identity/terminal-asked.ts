// What a terminal asks for, as it stands in the address that it opens or in what a page sends on.

import { isSha256 } from "../../spine/values/hash.ts";
import { isTokenId, terminalCode } from "../contract/terminal-sign-in.ts";
import type { TerminalShown } from "../pages/sign-in-pages.ts";

/** "none" where no terminal asks: the browser itself is signed in. */
export const terminalIn = (asked: { get(name: string): unknown }): TerminalShown | "malformed" | "none" => {
  const [hash, id] = [asked.get("hash") ?? undefined, asked.get("id") ?? undefined];
  if (hash === undefined && id === undefined) return "none";
  return isSha256(hash) && isTokenId(id) ? { code: terminalCode(hash), hash, id } : "malformed";
};
