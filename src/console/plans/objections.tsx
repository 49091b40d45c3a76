// What keeps the reader from applying steps of a plan: what is said of several is said once, with all of them named.

import type { ReactNode } from "react";
import type { AnswerBodies } from "../../boundary/contract/typed-answers.ts";
import { RefusalPart, type RefusalShown } from "../parts/problem.tsx";

type StepsShown = AnswerBodies["showPlan"]["steps"];

/** What was tried has its outcome, and is no step to apply any more. */
const TRIED: ReadonlySet<string> = new Set(["applied", "applying", "failed", "unknown"]);

type Group = { readonly refusal: RefusalShown; readonly steps: number[] };

const groupObjections = (steps: StepsShown): readonly Group[] => {
  const groups = new Map<string, Group>();
  for (const { objections, status, step } of steps) {
    if (TRIED.has(status)) continue;
    for (const refusal of objections) {
      const { cause, code, text } = refusal;
      const same = JSON.stringify([code, cause, text.detail, text.next]);
      const group = groups.get(same) ?? { refusal, steps: [] };
      group.steps.push(step);
      groups.set(same, group);
    }
  }
  return [...groups.values()];
};

export const Objections = ({ steps }: { readonly steps: StepsShown }): ReactNode => {
  const groups = groupObjections(steps);
  if (groups.length === 0) return undefined;
  return (
    <section aria-labelledby="objections">
      <h2 id="objections">Why you cannot apply</h2>
      {groups.map(({ refusal, steps: numbers }) => (
        <div key={`${refusal.code} ${refusal.cause ?? ""} ${numbers[0]}`}>
          <h3>
            {numbers.length === 1 ? "Step" : "Steps"} <span className="machine">{rangesText(numbers)}</span>
          </h3>
          <RefusalPart refusal={refusal} />
        </div>
      ))}
    </section>
  );
};

/** 1-4, 7: however many there are, none is left out. */
const rangesText = (numbers: readonly number[]): string => {
  const ranges: { readonly from: number; to: number }[] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && last.to + 1 === number) last.to = number;
    else ranges.push({ from: number, to: number });
  }
  return ranges.map(({ from, to }) => (from === to ? String(from) : `${from}-${to}`)).join(", ");
};
