// What people do where a service is: one signs in by her passkey, out, and in again, at times for a moment only; and
// operators end her and invite her anew, between any two steps of everybody else.

import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { get } from "../../src/kernel/state/persistent-map.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { instantOf, msOf } from "../../src/spine/values/instant.ts";
import { FAY, invitationOf, passkeyOf, redemptionOf, SESSION_HOURS, tokenIdOf } from "./cast.ts";
import type { Act } from "./planning-acts.ts";
import type { Process, Who } from "./process.ts";

const { id: FAY_ID } = FAY.actor;
/** The service says who came, as the kernel. */
const DOOR: Who = { actor: KERNEL_ACTOR, door: "service" };
const SHORT_MS = 60_000;
const HOUR_MS = 3_600_000;

const knownIn = (process: Process) => get(process.state().people, FAY_ID);
const numberIn = (credential: string): number => Number(credential.split("-")[1]);

/** At times with the passkey of somebody else, or of before. */
const signsIn: Act = async ({ chance }, _, process) => {
  const known = knownIn(process)?.known;
  const credential = known?.kind === "passkey" && !chance.oneIn(10) ? known.credential : passkeyOf(FAY_ID, 0);
  const token = tokenIdOf(FAY_ID, 1 + chance.below(9_999));
  const endMs = msOf(process.now()) + (chance.oneIn(3) ? SHORT_MS : SESSION_HOURS * HOUR_MS);
  const session = { expiresAt: instantOf(endMs), hash: sha256(token), token };
  const by = { credential, kind: "passkey" } as const;
  await process.submit(process.command(DOOR, { by, kind: "sign-in", session, subject: FAY_ID }));
};

const signsOut: Act = async (_, who, process) => {
  const { token = "nothing" } = who;
  await process.submit(process.command(who, { ends: "session", kind: "sign-out", token }));
};

const endsPerson: Act = async (_, who, process) => {
  const request = { ends: "person", kind: "sign-out", reason: "left the team", subject: FAY_ID } as const;
  await process.submit(process.command(who, request));
};

/** Whoever is gone is invited again, and sets another passkey. */
const invitesAgain: Act = async ({ chance }, who, process) => {
  const known = knownIn(process)?.known;
  if (known !== undefined && !chance.oneIn(10)) return;
  const no = known?.kind === "passkey" ? numberIn(known.credential) + 1 : 1 + chance.below(9_999);
  await process.submit(process.command(who, invitationOf(FAY_ID, no, msOf(process.now()))));
  await process.submit(process.command(DOOR, redemptionOf(FAY_ID, no)));
};

type Row = { readonly act: Act; readonly is: (who: Who) => boolean; readonly weight: number };
const isFay = ({ actor }: Who): boolean => actor.id === FAY_ID;
const operates = ({ actor }: Who): boolean => actor.roles.includes("operator") && actor.id !== FAY_ID;

const ROWS: readonly Row[] = [
  { act: signsIn, is: isFay, weight: 24 },
  { act: signsOut, is: isFay, weight: 8 },
  { act: endsPerson, is: operates, weight: 1 },
  { act: invitesAgain, is: operates, weight: 4 },
];

export const peopleActsFor = (who: Who): readonly (readonly [weight: number, act: Act])[] =>
  ROWS.filter(({ is }) => is(who)).map(({ act, weight }) => [weight, act]);
