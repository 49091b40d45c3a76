// What people do with tokens: they make some, also for a second name of their own, rotate them, take them away and give
// them back, and let them end; between any two steps of everybody else.

import { get } from "../../src/kernel/state/persistent-map.ts";
import { DAY_MS } from "../../src/kernel/state/spans.ts";
import { msOf } from "../../src/spine/values/instant.ts";
import type { Chance } from "../fuzz/chance.ts";
import { CAST, tokenFor, tokenIdOf } from "./cast.ts";
import type { Act } from "./planning-acts.ts";
import type { Process, Who } from "./process.ts";

const [, ...HOLDERS] = CAST;
const SHORT_MS = 10 * 60_000;

/** At times one that ends soon, so that it is over before its subject is done. */
const endMs = (process: Process, chance: Chance): number =>
  msOf(process.now()) + (chance.oneIn(4) ? SHORT_MS : 30 * DAY_MS);
const fresh = (id: string, chance: Chance): string => tokenIdOf(id, 1 + chance.below(9_999));

/** The second name of somebody who makes tokens. */
export const eyesOf = ({ actor: { id } }: Who): Who => ({
  actor: { id: `eyes${id[0]}`, kind: "person", roles: ["approver"] },
  door: "service",
  token: "nothing yet",
});

export const mints: Act = async ({ chance }, who, process) => {
  const { actor } = eyesOf(who);
  const request = tokenFor(actor, fresh(actor.id, chance), endMs(process, chance));
  await process.submit(process.command(who, request));
};

export const rotates: Act = async ({ chance }, who, process) => {
  const other = HOLDERS[chance.below(HOLDERS.length)] ?? who;
  const { id } = chance.oneIn(2) ? who.actor : other.actor;
  const { expiresAt, hash, token } = tokenFor(who.actor, fresh(id, chance), endMs(process, chance));
  await process.submit(process.command(who, { act: "rotate", expiresAt, hash, kind: "token", subject: id, token }));
};

export const revokesToken: Act = async ({ chance }, who, process) => {
  const other = HOLDERS[chance.below(HOLDERS.length)] ?? who;
  const { token = "nothing" } = get(process.state().subjects, other.actor.id) ?? {};
  await process.submit(process.command(who, { act: "revoke", kind: "token", token }));
};

/** Who lost their token is given another; whoever has that name then is not whom people agreed with before. */
export const restores: Act = async ({ chance }, who, process) => {
  const now = process.now();
  const held = (id: string) => get(process.state().subjects, id);
  const lost = HOLDERS.find(({ actor: { id } }) => (held(id)?.expiresAt ?? now) <= now);
  if (lost === undefined) return;
  const { id } = lost.actor;
  const { act: _, subject: __, ...made } = tokenFor(lost.actor, fresh(id, chance), msOf(now) + 30 * DAY_MS);
  const request = held(id) === undefined ? tokenFor(lost.actor, made.token, msOf(made.expiresAt)) : undefined;
  await process.submit(process.command(who, request ?? { ...made, act: "rotate", subject: id }));
};
