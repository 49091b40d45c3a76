// current.json: a recorded observation, read and written.
//
// Two forms: the object, which says what it is of and whether it is complete, and the bare list of VM states, which
// says neither, so that the caller must. A file that does not fit is bad; an entry that does not fit is a doubt about
// one VM, and an entry that names no VM is a doubt about the observation. Keeps N1, P7-F1.
// Not here: order and doubled vmids (spine/values/observation.ts), the fields of an entry (vm-entry.ts).

import type { Observation, VmState } from "../spine/model.ts";
import { GAPS, type Gap, gap } from "../spine/observed-codes.ts";
import { refuse } from "../spine/rules/refusals.ts";
import { foundIn } from "./expectation.ts";
import { environmentName, flag, instant, sentence, version } from "./json/json-fields.ts";
import { isSome, type Misfit, misfitProblems } from "./json/json-position.ts";
import { list, misfit, record, refined, type Shape } from "./json/json-shape.ts";
import { parseJson } from "./json/json-text.ts";
import type { Parsed } from "./problem.ts";
import { writtenShape } from "./stated.ts";
import { readEntry } from "./vm-entry.ts";

export const CURRENT_SCHEMA = "https://schemas.dedalus.example/v1/current.schema.json";

/** What the bare list does not say. */
export type BareList = { readonly environment: string; readonly complete: boolean };

type Head = Omit<Observation, "vms">;
type Written = Omit<Head, "gaps"> & { readonly gaps?: readonly Gap[]; readonly vms: readonly unknown[] };

const entries: Shape<readonly unknown[]> = (value, field, misfits) => {
  if (Array.isArray(value)) return value;
  misfits.push(misfit(field, refuse("type-wrong", { cause: "list", facts: foundIn(value) })));
  return undefined;
};

const written = refined(
  record<Written>(
    {
      complete: flag,
      environment: environmentName,
      gaps: { optional: list(writtenShape(GAPS)) },
      observedAt: { optional: instant },
      version,
      vms: entries,
    },
    { $schema: sentence },
  ),
  ({ complete, gaps }) =>
    complete === true && Array.isArray(gaps) && gaps.length > 0
      ? misfit("gaps", refuse("value-wrong", { cause: "gaps-of-complete" }))
      : undefined,
);

export const parseCurrent = (text: string, file: string, options: BareList): Parsed<Observation> => {
  const json = parseJson(text, file);
  if (json.kind === "bad") return json;
  if (Array.isArray(json.value)) return { kind: "ok", value: observed(bare(options), json.value) };
  const misfits: Misfit[] = [];
  const value = written(json.value, "", misfits);
  if (isSome(misfits)) return { kind: "bad", problems: misfitProblems(text, file, misfits) };
  const { vms, ...head } = value as Written;
  return { kind: "ok", value: observed({ gaps: [], ...head }, vms) };
};

const bare = ({ complete, environment }: BareList): Head => ({
  complete,
  environment,
  gaps: complete ? [] : [gap("bare-list")],
  version: 1,
});

const observed = (head: Head, list: readonly unknown[]): Observation => {
  const vms: VmState[] = [];
  const unread: number[] = [];
  for (let at = 0; at < list.length; at += 1) {
    const state = readEntry(list[at]);
    if (state === undefined) unread.push(at + 1);
    else vms.push(state);
  }
  const { observedAt } = head;
  return {
    complete: head.complete && unread.length === 0,
    environment: head.environment,
    gaps: unread.length === 0 ? head.gaps : [...head.gaps, ...unreadGaps(unread)],
    ...(observedAt === undefined ? {} : { observedAt }),
    version: 1,
    vms,
  };
};

/** Enough to find the cause; a list of another kind altogether must not become a million gaps. */
const UNREAD_SHOWN_MAX = 20;

const unreadGaps = (unread: readonly number[]): readonly Gap[] => {
  const shown = unread.slice(0, UNREAD_SHOWN_MAX).map((entry) => gap("entry-unreadable", { facts: { entry } }));
  const more = unread.length - shown.length;
  return more === 0 ? shown : [...shown, gap("entries-unreadable", { facts: { more } })];
};

/** One VM a line, what people look for first: easy to read, to compare and to edit. */
export const currentText = (observation: Observation): string => {
  const { complete, environment, gaps, observedAt, version, vms } = observation;
  const head = {
    $schema: CURRENT_SCHEMA,
    version,
    environment,
    observedAt,
    complete,
    gaps: gaps.length === 0 ? undefined : gaps,
  };
  const lines = vms.map((state) => `\n    ${JSON.stringify(forPeople(state))}`);
  return `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "vms": [${lines.join(",")}${vms.length === 0 ? "" : "\n  "}]\n}\n`;
};

const forPeople = ({ name, paused, status, vmid, ...rest }: VmState): object => ({
  vmid,
  name,
  status,
  paused,
  ...rest,
});
