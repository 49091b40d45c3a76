// Rules: every rule that Dedalus keeps, how it is kept, and every refusal behind it, in general words. Each has an
// anchor, to which refusals everywhere lead.

import { type ReactNode, useEffect, useRef } from "react";
import type { AnswerBodies } from "../../boundary/contract/typed-answers.ts";
import { read, readPath } from "../ask/get.ts";
import type { PageProps } from "../pages.tsx";
import { SameElsewhere } from "../parts/same-elsewhere.tsx";
import { SnapshotShown, useSnapshot } from "../snapshot.tsx";
import { spellCommand } from "../spell-here.ts";

type Rules = AnswerBodies["rules"]["rules"];

export const RulesPage = (_: PageProps<"rules">): ReactNode => {
  const [snapshot, readAgain] = useSnapshot("rules", (signal) => read("rules", {}, signal));
  return (
    <>
      <h1>Rules</h1>
      <SnapshotShown readAgain={readAgain} snapshot={snapshot}>
        {({ rules }) => (
          <>
            <RuleList rules={rules} />
            <SameElsewhere commands={[spellCommand("rules", {})]} paths={[readPath("rules", {})]} />
          </>
        )}
      </SnapshotShown>
    </>
  );
};

/** Whoever came for one rule is brought to it once it is there. */
const RuleList = ({ rules }: { readonly rules: Rules }): ReactNode => {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const named = decodeURIComponent(location.hash.slice(1));
    const found = [...(list.current?.children ?? [])].find(({ id }) => id === named);
    found?.scrollIntoView();
    if (found instanceof HTMLElement) found.focus({ preventScroll: true });
  }, []);
  return (
    <div ref={list}>
      {rules.map(({ codes, id, kept, sentence }) => (
        <section aria-labelledby={`rule ${id}`} className="rule" id={id} key={id} tabIndex={-1}>
          <h2 id={`rule ${id}`}>
            <a href={`#${id}`}>{id}</a>
          </h2>
          <p>{sentence}</p>
          <p className="soft">{kept === "not yet" ? "Not yet kept" : `Kept by ${kept}`}.</p>
          {codes.map(({ code, stage, text }) => (
            <div className="refusal" key={code}>
              <p>
                <strong>{text.summary}</strong>: {text.detail}{" "}
                <span className="machine soft">
                  ({code}, at {stage})
                </span>
              </p>
              {text.why === undefined ? undefined : <p className="soft">{text.why}</p>}
              <p>{text.next}</p>
            </div>
          ))}
        </section>
      ))}
    </div>
  );
};
