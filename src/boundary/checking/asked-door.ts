// A door as a stranger sees it who checks the contract: one question, and what came back as it was said. Nothing of it
// is believed here, and no type promises more than JSON.
//
// Not here: how a door is spoken to (http-door.ts, mcp-door.ts), what must be true of what came (the clauses).

import type { Action } from "../../spine/model.ts";
import type { CheckedDoor } from "../contract/agent-clauses.ts";

export type SaidJson = Readonly<Record<string, unknown>>;
export type SaidHead = { readonly hash: string; readonly size: number };
export type SaidRefusal = SaidJson & { readonly code?: unknown };

export type DoorReply =
  | {
      readonly body: SaidJson;
      readonly head?: SaidHead;
      readonly kind: "answered";
      readonly record?: number;
      readonly replayed: boolean;
    }
  | { readonly kind: "refused"; readonly outcome: unknown; readonly refusals: readonly SaidRefusal[] }
  /** Nothing came, or nothing that this door says. */
  | { readonly code: string; readonly kind: "unread" };

type StepAt = { readonly plan: string; readonly step: { readonly number: number } };

/** What an agent can ask for, and what only people can, which is asked for to be refused. */
export type AgentRequests = {
  readonly apply: StepAt;
  readonly approve: StepAt & { readonly explanation: string; readonly reason: string; readonly words: string };
  readonly cancel: { readonly plan: string; readonly reason: string };
  readonly challenge: StepAt;
  readonly deny: StepAt & { readonly reason: string };
  readonly explain: StepAt;
  readonly intent: { readonly intent: string };
  readonly makePlan: {
    readonly environment: string;
    readonly request?: { readonly action: Action; readonly vmid: string };
    readonly scope: "all" | readonly string[];
  };
  readonly observe: { readonly environment: string };
  readonly requestApproval: StepAt;
  readonly showPlan: { readonly plan: string };
  readonly vms: { readonly environment: string; readonly vms: readonly string[] };
  readonly whoami: Readonly<Record<never, never>>;
};
export type AgentAsk = keyof AgentRequests;

export type AskedDoor = {
  /** Under this key, where the door takes one for it. */
  readonly ask: <K extends AgentAsk>(operation: K, request: AgentRequests[K], key?: string) => Promise<DoorReply>;
  /** A plan with one more member, which nobody knows. */
  readonly askStrange?: (request: AgentRequests["makePlan"], member: SaidJson) => Promise<DoorReply>;
  /** The same question by nobody. */
  readonly askUnproven?: () => Promise<DoorReply>;
  readonly knows: ReadonlySet<AgentAsk>;
  readonly name: CheckedDoor;
  /** The tools that are listed, as they are. */
  readonly tools?: () => Promise<readonly SaidJson[] | string>;
  /** What the caller calls the same request once more: under the same key where it has one. */
  readonly takesKey: (operation: AgentAsk) => boolean;
};

export const isSaidObject = (value: unknown): value is SaidJson =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const listIn = (value: unknown): readonly SaidJson[] => (Array.isArray(value) ? value.filter(isSaidObject) : []);
export const objectIn = (value: unknown): SaidJson => (isSaidObject(value) ? value : {});
