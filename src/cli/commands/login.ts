// dedalus login and logout: a session at a service, for the commands that follow from this terminal.
//
// The token is made here and leaves as the proof of a request alone: the browser is sent with its hash, and the person
// compares a code that both sides make of it. Nothing is kept before the service knows the token. keeps B2, B5
// Not here: the pages (boundary/pages/), what is recorded (service/act/signing-in.ts).

import { setTimeout as pause } from "node:timers/promises";
import { terminalAddress, terminalCode } from "../../boundary/contract/terminal-sign-in.ts";
import { readToken } from "../../config.ts";
import { publicId, secretText } from "../../ids.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { sha256 } from "../../spine/values/hash.ts";
import { offersSignIn } from "../../wire.ts";
import { openWith, readTokenAt } from "../asking/at-remote.ts";
import { refusalOutcome, refusedOutcome } from "../asking/at-service.ts";
import type { Arguments, CommandRun } from "../command.ts";
import { badInput } from "../failed-outcome.ts";
import { findPlace, type ServerNamed } from "../files/find-server.ts";
import { readOwnPackage } from "../files/own-files.ts";
import { removeSession, writeSession } from "../files/session-file.ts";
import type { Outcome } from "../outcome.ts";
import { endProgress, type Io, showProgress } from "../process/io.ts";
import { say } from "../process/say.ts";
import { grantsText } from "../views/grants-text.ts";

/** As long as the service itself keeps a sign-in that is under way. */
const WAIT_MINUTES = 10;
const ASKED_EVERY_MS = 2_000;

const serverOf = (command: string, given: Arguments, io: Io): Promise<Outcome> | ServerNamed => {
  const place = findPlace(given, io);
  if (place.kind === "bad") return badInput(place.problems);
  if (place.kind === "remote") return place.server;
  return badInput([refuse("usage", { cause: "needs-option", facts: { argument: "--server URL", what: command } })]);
};

export const runLogin: CommandRun = async (given, io) => {
  const server = await serverOf("login", given, io);
  if ("exit" in server) return server;
  // It would be asked by that one, whoever signs in.
  if (readToken().kind !== "none")
    return badInput([refuse("usage", { cause: "not-together", facts: { argument: "login", other: "DEDALUS_TOKEN" } })]);
  const { origin } = server.address;
  const id = publicId();
  const token = `dedalus_${id}_${secretText()}`;
  const hash = sha256(token);
  const offered = await offersSignIn({ ...server, version: readOwnPackage().version });
  if (offered !== undefined) return refusalOutcome(offered);
  const code = terminalCode(hash);
  say(io, [
    "Open this address, and sign in only if the page shows the same code:",
    `  ${terminalAddress(origin, { hash, id })}`,
    `  code ${code}`,
  ]);
  return waitUntilKnown(server, token, code, io);
};

const waitUntilKnown = async (server: ServerNamed, token: string, code: string, io: Io): Promise<Outcome> => {
  const { origin } = server.address;
  const at = await openWith(server, token);
  if ("code" in at) return refusalOutcome(at);
  const stop = io.interrupted();
  for (let waitedMs = 0; waitedMs < WAIT_MINUTES * 60_000 && !stop.aborted; waitedMs += ASKED_EVERY_MS) {
    const answer = await at.service.whoami(at.caller, {});
    if (answer.kind === "ok") {
      writeSession(origin, token);
      endProgress(io);
      const { actor, grants } = answer.value;
      return {
        exit: "done",
        json: { actor, grants, provenBy: "token", server: origin },
        text: () => [`signed in at ${origin} as ${actor.id}`, `roles: ${grantsText(grants)}`],
      };
    }
    // Until the person has confirmed, the service knows nobody by this token; everything else ends the wait.
    if (!answer.refusals.some(({ code: why }) => why === "actor-unknown" || why === "caller-limited"))
      return refusedOutcome(answer);
    showProgress(io, `waiting for ${code} to be confirmed`);
    await pause(ASKED_EVERY_MS);
  }
  return refusalOutcome(refuse("sign-in-unconfirmed", { facts: { code, server: origin } }));
};

export const runLogout: CommandRun = async (given, io) => {
  const server = await serverOf("logout", given, io);
  if ("exit" in server) return server;
  const { origin } = server.address;
  if (readToken().kind !== "none")
    return badInput([
      refuse("usage", { cause: "not-together", facts: { argument: "logout", other: "DEDALUS_TOKEN" } }),
    ]);
  const held = readTokenAt(origin);
  if ("code" in held) return refusalOutcome(held);
  const at = await openWith(server, held.value);
  if ("code" in at) return refusalOutcome(at);
  const answer = await at.service.signOut(at.caller, {});
  const isUnknown = answer.kind === "refused" && answer.refusals.some(({ code }) => GONE.has(code));
  if (answer.kind === "refused" && !isUnknown) return refusedOutcome(answer);
  removeSession(origin);
  if (answer.kind === "refused") {
    const ended: Outcome = await refusedOutcome(answer);
    return { ...ended, text: (style) => [...ended.text(style), "The session had ended; its file is removed."] };
  }
  io.deeds.record();
  const { name, seq } = answer.value;
  return {
    exit: "done",
    json: answer.value,
    text: () => [`signed out at ${origin}: the session of ${name} ended`, `record ${seq}`],
  };
};

/** The service knows nobody by this token any more. */
const GONE: ReadonlySet<string> = new Set(["actor-unknown", "token-expired"]);
