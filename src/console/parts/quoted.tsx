// What others wrote, on a page: names, reasons, what a provider said. It is text and stays text: what cannot be seen is
// written as its code, no direction of writing reaches beyond it, and one that is very long is cut where it says so.

import type { ReactNode } from "react";
import { seenText } from "../../boundary/contract/seen-text.ts";

const LENGTH_MAX = 200;

export const Quoted = ({ text, whole = false }: { readonly text: string; readonly whole?: boolean }): ReactNode => {
  if (whole || text.length <= LENGTH_MAX) return <bdi className="quoted">{seenText(text)}</bdi>;
  return (
    <bdi className="quoted">
      {seenText(text.slice(0, LENGTH_MAX))}
      <span className="soft">… ({text.length} characters)</span>
    </bdi>
  );
};

/** A sentence of ours in which somebody else's words may stand. */
export const Sentence = ({ text }: { readonly text: string }): ReactNode => (
  <span className="sentence">{seenText(text)}</span>
);
