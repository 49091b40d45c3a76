// From a request to a command: who asks, from which process, under which configuration; stamped once, with a fresh id.
//
// Clock and ids are handed in; a door makes its desk once and asks through it.

import type { Actor, Ulid } from "../ledger/record/record.ts";
import type { Submission } from "../ledger/write/submission.ts";
import type { Instant, Sha256 } from "../spine/model.ts";
import { KERNEL_ID } from "../spine/values/subject.ts";
import { RECORD_KINDS } from "./command/record-kinds.ts";
import type { Command, Door, RequestKind, RequestOf } from "./command/request.ts";
import { type Grants, rolesHeldIn } from "./command/role-grants.ts";
import { laneOf } from "./command-lane.ts";

export type CommandDesk = {
  readonly actor: Actor;
  readonly configHash: Sha256;
  readonly door: Door;
  /**
   * What the actor's token grants: a command has the roles that hold in its environment. Without it the actor's own
   * roles hold everywhere, as the kernel's do, and the operator's at the ledger's own files.
   */
  readonly grants?: Grants;
  readonly ids: () => Ulid;
  readonly instance: Ulid;
  readonly now: () => Instant;
  /** The public id of the token by which the actor was proven. */
  readonly token?: string;
  /** The catalogue of words in which this door shows what is agreed to. */
  readonly words: Sha256;
};

const AGREES = {
  always: () => true,
  confirmed: (request: object) => "confirmation" in request,
  never: () => false,
} as const;

/** Whether somebody agrees to something that they were shown. */
const isAgreed = (kind: RequestKind, request: object): boolean => AGREES[RECORD_KINDS[kind].agrees](request);

export type CommandOptions = Partial<
  Pick<Command, "asked" | "causationId" | "correlationId" | "environment" | "given" | "key" | "words">
>;

export const commandOf = <K extends RequestKind>(
  desk: CommandDesk,
  asked: RequestOf<K>,
  asking: CommandOptions = {},
): Command<K> => {
  const id = desk.ids();
  const { kind, ...rest } = asked;
  // What was shown by another instance was shown in that one's words.
  const { asked: askedFor, causationId, correlationId = id, given, key = id, words = desk.words } = asking;
  const environment = RECORD_KINDS[kind].of === "whole" ? undefined : asking.environment;
  const request: object = rest;
  const command = {
    actor: desk.grants === undefined ? desk.actor : { ...desk.actor, roles: rolesHeldIn(desk.grants, environment) },
    ...(askedFor === undefined ? {} : { asked: askedFor }),
    at: desk.now(),
    ...(causationId === undefined ? {} : { causationId }),
    configHash: desk.configHash,
    correlationId,
    door: desk.door,
    ...(environment === undefined ? {} : { environment }),
    ...(given === undefined ? {} : { given }),
    id,
    instance: desk.instance,
    key,
    kind,
    request,
    // What the kernel says itself is proven by no token.
    ...(desk.token === undefined || desk.actor.kind === "kernel" ? {} : { token: desk.token }),
    ...(isAgreed(kind, request) ? { words } : {}),
  };
  return command as Command<K>;
};

/** The kernel speaks for itself where it records what happened. */
export const KERNEL_ACTOR: Actor = { id: KERNEL_ID, kind: "kernel", roles: [] };

export const submissionOf = (command: Command): Submission<Command> => ({
  caller: command.actor.id,
  command,
  key: command.key,
  lane: laneOf(command),
});
