// The door of agents: nobody else is known there, and nothing is taken there but what its column of the table lists
// (actors.ts). A person's token or session that fell into an agent's hands proves nobody there. Keeps B2, P7-A1.
//
// Not here: what an agent must not do at any door (actors.ts), and that it applies only what it asked for
// (apply-step.ts).

import type { Actor } from "../../ledger/record/record.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import type { Door, RequestKind } from "../command/request.ts";

/** Whatever roles a person has: this door is not theirs. */
export const agentsOnlyRefusal = (door: Door, { id, kind }: Pick<Actor, "id" | "kind">): Refusal | undefined =>
  door === "agent" && kind === "person" ? refuse("agents-only", { facts: { actor: id } }) : undefined;

/** What is not listed for this door is not asked there, by an agent or by the kernel. */
export const unlistedRefusal = (door: Door, asked: RequestKind, isListed: boolean): Refusal | undefined =>
  door !== "agent" || isListed ? undefined : refuse("agent-door-closed", { facts: { asked } });
