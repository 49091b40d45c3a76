// Tokens that somebody made, rotated or revoked in a story, for what they must not bring about.

import assert from "node:assert/strict";
import type { Role } from "../../src/kernel/command/roles.ts";
import type { Actor } from "../../src/ledger/record/record.ts";
import { freshToken, type Setting, type Story, tokenOf, tokenRequest } from "../kernel/story.ts";
import { state as vmState, wantStopped } from "../spine/world.ts";

export const STOP: Setting = { vms: [vmState()], entries: [wantStopped("power-off")] };
export const AT_SERVICE = { door: "service" } as const;

/** Somebody makes a token, and so could use it. */
export const minted = (told: Story, by: Actor, id: string, ...roles: readonly Role[]): Actor => {
  const kind = roles.includes("agent") ? "agent" : "person";
  assert.equal(told.ask(tokenRequest(told, { id, kind, roles }), { by, ...AT_SERVICE }).kind, "done");
  return { id, kind, roles };
};
export const mintedLocally = (told: Story, id: string, ...roles: readonly Role[]): Actor => {
  assert.equal(told.ask(tokenRequest(told, { id, kind: "person", roles })).kind, "done");
  return { id, kind: "person", roles };
};
export const rotated = (told: Story, subject: string, by: Actor): string => {
  const fresh = freshToken(told.now(), told.records.length);
  const result = told.ask({ act: "rotate", ...fresh, kind: "token", subject }, { by, ...AT_SERVICE });
  assert.equal(result.kind, "done", JSON.stringify(result));
  return fresh.token;
};
export const revoked = (told: Story, subject: string): void => {
  assert.equal(told.ask({ act: "revoke", kind: "token", token: tokenOf(told, subject) }).kind, "done");
};
