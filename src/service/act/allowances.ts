// What the kernel would answer the caller's acts now, of each environment that they see and of everything: for a door
// that offers an act, and says in the kernel's own words why it is not offered. It leaves no record.
//
// What needs nothing but a reason is judged by its decider; what needs a provider first, by whether the caller may ask
// for it at all. Nothing is promised: an act is judged when it comes. Not here: the decisions on a step
// (review-step.ts).

import { readerRefusal } from "../../kernel/decide/actors.ts";
import { entries, get } from "../../kernel/state/persistent-map.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { present } from "../../spine/values/present.ts";
import { refusedByKernel, refusedInput, type ServiceAnswer } from "../answer.ts";
import { environmentAt } from "../hold/environment-at.ts";
import { foresee } from "../hold/foresee.ts";
import { checkAsker, readingIn, type ServiceSession } from "../hold/session.ts";
import { sightOf } from "../hold/sight.ts";

export type ActAllowed = {
  readonly act: "annotate" | "freeze" | "observe" | "plan" | "reconcile" | "unfreeze";
  /** Absent where the act is of everything. */
  readonly environment?: string;
  /** Empty where it would be granted. */
  readonly refusals: readonly Refusal[];
};
export type Allowances = { readonly allowances: readonly ActAllowed[] };

/** The reason is theirs to give; whatever it is, the rest is judged as it would be. */
const REASON = "foreseen";

export const listAllowances = async (
  session: ServiceSession,
  { environment }: { readonly environment?: string },
): Promise<ServiceAnswer<Allowances>> => {
  const unread = readerRefusal(session.caller, "account");
  if (unread !== undefined) return refusedByKernel([unread]);
  const { desk, head } = readingIn(session);
  const named = environment === undefined ? undefined : environmentAt(environment, desk);
  if (named !== undefined && "code" in named) return refusedInput([named]);
  const seen = [...desk.config.environments.keys()].filter((one) => environment === undefined || one === environment);
  const allowances: ActAllowed[] =
    environment === undefined ? [remarking(session, undefined), ...brakes(session, undefined)] : [];
  for (const one of seen.sort())
    allowances.push(remarking(session, one), ...brakes(session, one), ...(await asking(session, one)));
  if (environment === undefined) allowances.push(...unconfigured(session).map((one) => remarking(session, one)));
  return { head, kind: "ok", replayed: false, value: { allowances } };
};

const remarking = (session: ServiceSession, environment: string | undefined): ActAllowed => ({
  act: "annotate",
  ...present({ environment }),
  refusals: foresee(session, { kind: "annotate", text: REASON }, present({ environment })),
});

/** Of an environment that is configured no more there are records still, and people remark on them. */
const unconfigured = ({ caller, desk, writer }: ServiceSession): readonly string[] =>
  Array.from(entries(writer.state().desired), ([name]) => name)
    .filter((name) => !desk.config.environments.has(name) && sightOf(caller)(name))
    .sort();

const brakes = (session: ServiceSession, environment: string | undefined): readonly ActAllowed[] =>
  (["freeze", "unfreeze"] as const).map((act) => ({
    act,
    ...present({ environment }),
    refusals: foresee(session, { kind: act, reason: REASON }, present({ environment })),
  }));

const asking = async (session: ServiceSession, environment: string): Promise<readonly ActAllowed[]> => {
  const unregistered =
    get(session.writer.state().desired, environment) === undefined
      ? [refuse("desired-unregistered", { facts: { environment } })]
      : [];
  const allowances: ActAllowed[] = [];
  for (const act of ["observe", "plan", "reconcile"] as const) {
    const refused = await checkAsker(session, act, environment);
    allowances.push({ act, environment, refusals: refused?.refusals ?? unregistered });
  }
  return allowances;
};
