// From the files an operator names to a judged plan: what plan and audit share.
//
// Planning from a replay needs no dedalus.yaml; the environment is the desired file's. It writes no record and no file.

import { parseDesired } from "../formats/desired-yaml.ts";
import type { Problem } from "../formats/problem.ts";
import type { Observed, PlanFile, Refusal, Wishes } from "../spine/model.ts";
import { plan } from "../spine/plan/plan.ts";
import { NO_POLICY, policyDigest, safety } from "../spine/plan/safety.ts";
import { wishesOf } from "../spine/plan/wishes.ts";
import { refuse } from "../spine/rules/refusals.ts";
import { canonical } from "../spine/values/canonical.ts";
import { sha256 } from "../spine/values/hash.ts";
import { observe } from "../spine/values/observation.ts";
import { replayOf } from "../wire.ts";
import { scopeOf } from "./arguments/vmids.ts";
import type { Arguments } from "./command.ts";
import type { Exit } from "./exit-codes.ts";
import { readText } from "./files.ts";
import { type Io, progress } from "./io.ts";

export type Judged = {
  readonly kind: "judged";
  readonly file: PlanFile;
  readonly wishes: Wishes;
  readonly observed: Observed;
};
type Bad = { readonly kind: "bad"; readonly refusals: readonly (Refusal | Problem)[] };

export const judge = async (given: Arguments, io: Io): Promise<Judged | Bad> => {
  const scope = scopeOf(given.text.get("only"));
  if (typeof scope === "object" && "kind" in scope) return { kind: "bad", refusals: [scope] };
  const desired = readDesired(given.text.get("desired") ?? "", io);
  if (desired.kind === "bad") return desired;
  const observed = await look(given, desired.wishes, io);
  if (observed.kind === "bad") return observed;
  progress(io, "planning");
  const made = plan(desired.wishes, observed.observed, scope, {
    environment: NO_SECTION,
    policy: policyDigest(NO_POLICY),
  });
  const file: PlanFile = {
    applicable: false,
    because: "replayed",
    plan: made,
    verdict: safety(made, NO_POLICY),
    version: 1,
  };
  return { file, kind: "judged", observed: observed.observed, wishes: desired.wishes };
};

/** No dedalus.yaml takes part in a replay, and the plan's hash says so. */
const NO_SECTION = sha256(canonical(null));

const readDesired = (file: string, io: Io): { readonly kind: "ok"; readonly wishes: Wishes } | Bad => {
  progress(io, `reading ${file}`);
  const text = readText(io.folder, file);
  if (text.kind === "bad") return { kind: "bad", refusals: text.problems };
  const parsed = parseDesired(text.value, file);
  if (parsed.kind === "bad") return { kind: "bad", refusals: parsed.problems };
  const wishes = wishesOf(parsed.value.environment, parsed.value.vms);
  return "kind" in wishes ? { kind: "bad", refusals: [wishes] } : { kind: "ok", wishes };
};

const look = async (
  given: Arguments,
  wishes: Wishes,
  io: Io,
): Promise<{ readonly kind: "ok"; readonly observed: Observed } | Bad> => {
  const file = given.text.get("replay") ?? "";
  progress(io, `reading ${file}`);
  const text = readText(io.folder, file);
  if (text.kind === "bad") return { kind: "bad", refusals: text.problems };
  if (given.flags.has("complete") && !text.value.trimStart().startsWith("[")) {
    return { kind: "bad", refusals: [refuse("usage", { cause: "complete-of-file", facts: { file } })] };
  }
  const source = replayOf(text.value, file, { complete: given.flags.has("complete"), environment: wishes.environment });
  if (source.kind === "bad") return { kind: "bad", refusals: source.problems };
  const observation = await source.value.observe(wishes.wishes, AbortSignal.timeout(LOOK_MAX_MS));
  return { kind: "ok", observed: observe(observation) };
};

const LOOK_MAX_MS = 60_000;

/** Refused beats steps; VMs that are refused on their own count when there is nothing else to do. */
export const exitOf = ({ plan, verdict }: PlanFile): Exit => {
  if (verdict.kind === "refused") return "refused";
  if (plan.answers.some(({ kind }) => kind === "step")) return "steps";
  return plan.answers.some(({ kind }) => kind === "refusal") ? "refused" : "done";
};
