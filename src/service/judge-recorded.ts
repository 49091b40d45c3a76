// From a desired file and a recorded observation to a judged plan, and its whole account: what planning without a
// ledger is.
//
// No configuration takes part, the environment is the desired file's, and nothing is written: such a plan cannot be
// applied. Not here: planning on what is registered (act/make-plan.ts).

import type { Source } from "../adapters/source.ts";
import { parseDesired } from "../formats/desired-yaml.ts";
import type { Parsed } from "../formats/problem.ts";
import type { DesiredState, Explanation, Observed, PlanFile } from "../spine/model.ts";
import { desiredStateOf } from "../spine/plan/desired-state.ts";
import { explainAnswer } from "../spine/plan/explain.ts";
import { plan } from "../spine/plan/plan.ts";
import { NO_POLICY, policyDigest } from "../spine/plan/policy.ts";
import { safety } from "../spine/plan/safety.ts";
import { refuse } from "../spine/rules/refusals.ts";
import { canonical } from "../spine/values/canonical.ts";
import { sha256 } from "../spine/values/hash.ts";
import { observe } from "../spine/values/observation.ts";
import type { RefusedAnswer } from "./answer.ts";
import { readText } from "./named-file.ts";
import type { Watch } from "./progress.ts";
import { resolveVms, type VmRef, vmidIn } from "./read/vm-references.ts";

/** Files by the names that people gave them, read from the folder. `isComplete` is said of a bare list of states. */
export type RecordedFiles = {
  readonly desired: string;
  readonly folder: string;
  readonly isComplete: boolean;
  readonly observation: string;
  readonly scope: "all" | readonly VmRef[];
};

/** A source that gives a recorded observation again. */
export type Replay = (
  text: string,
  file: string,
  options: { readonly complete: boolean; readonly environment: string },
) => Promise<Parsed<Source>>;

export type Judged = {
  readonly kind: "ok";
  readonly file: PlanFile;
  readonly observed: Observed;
  readonly desired: DesiredState;
};

export const judgeRecorded = async (
  files: RecordedFiles,
  replay: Replay,
  watch: Watch,
): Promise<Judged | RefusedAnswer> => {
  const desired = readDesired(files, watch);
  if ("kind" in desired) return desired;
  // A number is in the scope whoever wrote it down or not: the plan answers for it, and says so.
  const refs = files.scope === "all" ? files.scope : files.scope.map((ref) => vmidIn(String(ref)) ?? ref);
  const scope = refs === "all" ? refs : resolveVms(refs, desired.entries);
  if (typeof scope === "object" && "code" in scope) return refused([scope]);
  const observed = await readObservation(files, desired, replay, watch);
  if ("kind" in observed) return observed;
  watch({ at: "planning" });
  const ground = { environment: NO_SECTION, policy: policyDigest(NO_POLICY) };
  const made = plan(desired, observed, scope, ground);
  const file: PlanFile = {
    applicable: false,
    because: "replayed",
    plan: made,
    verdict: safety(made, NO_POLICY),
    version: 1,
  };
  return { file, kind: "ok", observed, desired };
};

/** No configuration takes part, and the plan's hash says so. */
const NO_SECTION = sha256(canonical(null));

const refused = (refusals: RefusedAnswer["refusals"]): RefusedAnswer => ({
  domain: "input",
  kind: "refused",
  outcome: "not_executed",
  refusals,
});

const readDesired = ({ desired: file, folder }: RecordedFiles, watch: Watch): DesiredState | RefusedAnswer => {
  watch({ at: "reading", file });
  const text = readText(folder, file);
  const parsed = text.kind === "ok" ? parseDesired(text.value, file) : text;
  if (parsed.kind === "bad") return refused(parsed.problems);
  const desired = desiredStateOf(parsed.value.environment, parsed.value.vms);
  return "kind" in desired ? refused([desired]) : desired;
};

const READ_MAX_MS = 60_000;

const readObservation = async (
  { folder, isComplete, observation: file }: RecordedFiles,
  { entries, environment }: DesiredState,
  replay: Replay,
  watch: Watch,
): Promise<Observed | RefusedAnswer> => {
  watch({ at: "reading", file });
  const text = readText(folder, file);
  if (text.kind === "bad") return refused(text.problems);
  if (isComplete && !text.value.trimStart().startsWith("[")) {
    return refused([refuse("usage", { cause: "complete-of-file", facts: { argument: "complete", file } })]);
  }
  const source = await replay(text.value, file, { complete: isComplete, environment });
  if (source.kind === "bad") return refused(source.problems);
  return observe(await source.value.observe(entries, AbortSignal.timeout(READ_MAX_MS)));
};

/** One explanation for every answer about a VM; VMs that nobody wrote down are counted and not listed. keeps N3 */
export type Account = { readonly explanations: readonly Explanation[]; readonly observedAndNotDesired: number };

export const accountOf = ({ file: { plan: made, verdict }, observed, desired }: Judged): Account => {
  const vmids = new Set<number>(desired.entries.map(({ vmid }) => vmid));
  return {
    explanations: made.answers.flatMap((answer) =>
      answer.vmid === undefined ? [] : [explainAnswer(made, verdict, answer, answer.vmid)],
    ),
    observedAndNotDesired: observed.observation.vms.filter(({ vmid }) => !vmids.has(vmid)).length,
  };
};
