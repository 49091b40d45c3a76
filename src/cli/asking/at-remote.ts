// A command's way to a service elsewhere: the server that is named, and who asks there by which token.
//
// The token is DEDALUS_TOKEN, or the session of a sign-in at that very server. keeps B2, B5
// Loaded when a server is named: whoever asks a local ledger loads nothing of HTTP.

import { readToken } from "../../config.ts";
import { type Caller, tokenCredential } from "../../service/hold/callers.ts";
import type { Service } from "../../service/service.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { openRemote } from "../../wire.ts";
import type { ServerNamed } from "../files/find-server.ts";
import { readOwnPackage } from "../files/own-files.ts";
import { readSession } from "../files/session-file.ts";

export type TokenHeld = { readonly by: "session" | "token"; readonly value: string };

/** By what somebody is known at a server; one that is unusable stopped the command. */
export const readTokenAt = (origin: string): Refusal | TokenHeld => {
  const given = readToken();
  if (given.kind === "token") return { by: "token", value: given.value };
  const kept = readSession(origin);
  if (kept.kind === "refused") return kept.refusal;
  return kept.kind === "session"
    ? { by: "session", value: kept.token }
    : refuse("actor-unknown", { cause: "session-absent", facts: { server: origin } });
};

export type AtRemote = { readonly caller: Caller; readonly service: Service };

export const openAtRemote = async (server: ServerNamed): Promise<AtRemote | Refusal> => {
  const token = readTokenAt(server.address.origin);
  return "code" in token ? token : openWith(server, token.value);
};

export const openWith = async (server: ServerNamed, token: string): Promise<AtRemote | Refusal> => {
  const service = await openRemote({ ...server, token, version: readOwnPackage().version });
  return "code" in service ? service : { caller: { credential: tokenCredential(token), door: "service" }, service };
};
