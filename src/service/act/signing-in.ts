// Signing in and out. The door has proven who somebody is, and hands in what their provider says of them, or which
// passkey it saw; under which name and with which groups they are recorded is found here, and judged by the kernel.
//
// The session's token is made by whoever will hold it: its hash and its public id come here, and nothing else of it.
// Who is unknown and has no role leaves no record. keeps B2, B5

import { type IssuedIdentity, proposedSubject } from "../../kernel/command/proposed-subject.ts";
import { bodyOf } from "../../kernel/command/record-body.ts";
import type { SignedInBy, SignedInByOidc } from "../../kernel/command/request.ts";
import {
  grantsOfPerson,
  isFreeName,
  issuedKey,
  type SignsInBy,
  servedConfig,
  servedOidc,
  signsInBy,
} from "../../kernel/state/people.ts";
import { get } from "../../kernel/state/persistent-map.ts";
import { HOUR_MS } from "../../kernel/state/spans.ts";
import type { State } from "../../kernel/state/state.ts";
import type { Instant, Sha256 } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { later } from "../../spine/values/instant.ts";
import { hasInvisible } from "../../spine/values/invisible.ts";
import { present } from "../../spine/values/present.ts";
import { refusedByKernel, refusedByRule, type ServiceAnswer } from "../answer.ts";
import type { CommandAnswer, ServiceSession } from "../hold/session.ts";
import { answerWith, type ServiceAct } from "./act.ts";
import { personUnknown } from "./known-subjects.ts";

/** What a provider of identities says of somebody: all their groups, and what it calls them. */
type SignInByOidc = IssuedIdentity & { readonly called: string; readonly groups: readonly string[] };
/** A passkey that the door saw in use, and whose it is. */
type SignInByPasskey = { readonly credential: string; readonly name: string };
export type SignInRequested = (SignInByOidc | SignInByPasskey) & {
  readonly session: { readonly hash: Sha256; readonly id: string };
};
/** `id` is the public id of the session. */
export type SignInRecorded = {
  readonly expiresAt: Instant;
  readonly id: string;
  readonly name: string;
  readonly seq: number;
};

/** Only the groups that the configuration names are recorded: the others are nobody's business here. */
const recordedBy = (state: State, { called, groups, issuer, sub }: SignInByOidc): SignedInByOidc => {
  const named = new Set(servedOidc(state)?.groups.map(({ group }) => group));
  const name = called === "" || called.length > 255 || hasInvisible(called) ? undefined : called;
  return {
    groups: [...new Set(groups)].filter((group) => named.has(group)).sort(),
    issuer,
    kind: "oidc",
    ...present({ name }),
    sub,
  };
};

const signedIn: ServiceAct<never, SignInRecorded>["valueIn"] = async (_, record) => {
  const body = bodyOf(record);
  if (body?.kind !== "sign-in") throw new Error(`record ${record.seq} is no sign-in`);
  const { session, subject } = body.request;
  return { expiresAt: session.expiresAt, id: session.token, name: subject, seq: record.seq };
};

const record = (
  session: ServiceSession,
  { hash, id: token }: SignInRequested["session"],
  by: SignedInBy,
  subject: string,
): Promise<CommandAnswer> => {
  const hours = servedConfig(session.writer.state())?.service?.sessions.hours ?? 0;
  const expiresAt = later(session.desk.ports.clock.now(), hours * HOUR_MS);
  return session.answer({ by, kind: "sign-in", session: { expiresAt, hash, token }, subject });
};

const recordIssued = (
  session: ServiceSession,
  asked: Extract<SignInRequested, SignInByOidc>,
): Promise<CommandAnswer> => {
  const state = session.writer.state();
  const by = recordedBy(state, asked);
  const subject =
    get(state.issued, issuedKey(by)) ?? proposedSubject(asked.called, by, (name) => isFreeName(state, name));
  return record(session, asked.session, by, subject);
};

const isTaken = (answer: CommandAnswer): boolean =>
  answer.kind === "refused" && answer.refusals.some(({ cause }) => cause === "name-taken");

export const recordSignIn: ServiceAct<SignInRequested, SignInRecorded> = {
  perform: async (session, asked): Promise<ServiceAnswer<SignInRecorded>> => {
    if ("credential" in asked) {
      const { credential, name, session: made } = asked;
      return answerWith(session, await record(session, made, { credential, kind: "passkey" }, name), signedIn);
    }
    const state = session.writer.state();
    const by = recordedBy(state, asked);
    const isStranger = get(state.issued, issuedKey(by)) === undefined;
    if (isStranger && grantsOfPerson(state, { known: by }).length === 0)
      return refusedByKernel([refuse("sign-in-refused", { cause: "no-role", facts: { subject: asked.called } })]);
    const first = await recordIssued(session, asked);
    // Somebody else took the name in between; the next one is proposed on what is known now.
    return answerWith(session, isTaken(first) ? await recordIssued(session, asked) : first, signedIn);
  },
  valueIn: signedIn,
};

/** One's own session; or, for operators, everything by which somebody is known. */
export type SignOutRequested = { readonly name: string; readonly reason: string } | Readonly<Record<never, never>>;
export type SignOutRecorded = {
  readonly id?: string;
  readonly name: string;
  readonly seq: number;
  /** What a person signed in by who was ended; a repeated answer has none. */
  readonly signsInBy?: SignsInBy;
};

export const recordSignOut: ServiceAct<SignOutRequested, SignOutRecorded> = {
  isBrake: true,
  perform: async (session, asked) => {
    const { token = "" } = session.caller;
    if (!("name" in asked))
      return answerWith(
        session,
        await session.answer({ ends: "session", kind: "sign-out", token }),
        recordSignOut.valueIn,
      );
    const { name: subject, reason } = asked;
    const unknown = personUnknown(session, subject);
    if (unknown !== undefined) return refusedByRule(unknown);
    const by = signsInBy(session.writer.state(), subject);
    const ended = await session.answer({ ends: "person", kind: "sign-out", reason, subject });
    const answer = await answerWith(session, ended, recordSignOut.valueIn);
    return answer.kind === "refused" || answer.replayed
      ? answer
      : { ...answer, value: { ...answer.value, signsInBy: by } };
  },
  valueIn: async (_, record) => {
    const body = bodyOf(record);
    if (body?.kind !== "sign-out") throw new Error(`record ${record.seq} is no sign-out`);
    const { request } = body;
    return request.ends === "person"
      ? { name: request.subject, seq: record.seq }
      : { id: request.token, name: record.actor.id, seq: record.seq };
  },
};
