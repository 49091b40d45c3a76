// The explanation of a step: every line of the text that is agreed to, in the words and the order in which every other
// door shows it, and its digest. Nothing of it is left out, shortened or folded away. Keeps P7-A2.

import type { ReactNode } from "react";
import type { SeenExplanation } from "../../boundary/contract/seen-explanation.ts";
import { Sentence } from "../parts/quoted.tsx";

const Lines = ({ lines }: { readonly lines: readonly string[] }): ReactNode =>
  lines.length === 0 ? undefined : (
    <ul>
      {lines.map((line) => (
        <li key={line}>
          <Sentence text={line.trim()} />
        </li>
      ))}
    </ul>
  );

export const ExplanationPart = ({ seen }: { readonly seen: SeenExplanation }): ReactNode => (
  <section aria-label="Explanation" className="explanation">
    <h2>
      <Sentence text={seen.heading} />
    </h2>
    <Lines lines={seen.lines.facts} />
    <Lines lines={seen.lines.effects} />
    <div className="soft">
      <Lines lines={seen.lines.rules} />
    </div>
    <Lines lines={seen.lines.agreement} />
    <p className="machine">
      <Sentence text={seen.end.trim()} />
    </p>
  </section>
);

export const Altered = (): ReactNode => (
  <div className="notice" role="alert">
    <p>
      <strong className="broken">What came is not what it is said to be.</strong> The digest of the explanation or of
      its words is not the one that the service names. Nothing is shown, and nothing can be agreed to here.
    </p>
  </div>
);
