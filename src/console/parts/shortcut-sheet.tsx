// The keys that lead somewhere, and the sheet that lists them. None of them acts: a key moves or shows. Keeps P7-A1.
//
// Whoever speaks to their machine, or misses keys, switches them off; the sheet opens by a button all the same.

import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { areKeysOn, keepKeys } from "../key-choice.ts";
import { type PageName, pathTo } from "../page-address.ts";
import { PLACES } from "./shell.tsx";

/** After g: the first letter of a page's name that no page before it has. */
const lettered = (): ReadonlyMap<string, readonly [PageName, string]> => {
  const letters = new Map<string, readonly [PageName, string]>();
  for (const [page, title] of PLACES) {
    const letter = [...title.toLowerCase()].find((one) => !letters.has(one)) ?? title;
    letters.set(letter, [page, title]);
  }
  return letters;
};
const LETTERS = lettered();

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|SELECT|TEXTAREA)$/.test(target.tagName));

/** The row before or after the one that has the focus. */
const step = (by: -1 | 1): void => {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row] a, [data-row] button")].filter(
    (one, at, all) => all.findIndex((other) => other.closest("[data-row]") === one.closest("[data-row]")) === at,
  );
  const at = rows.findIndex((row) => row.closest("[data-row]")?.contains(document.activeElement));
  rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + by))]?.focus();
};

export const ShortcutSheet = ({ go }: { readonly go: (to: string) => void }): ReactNode => {
  const sheet = useRef<HTMLDialogElement>(null);
  const field = useId();
  const hasG = useRef(false);
  const [areOn, turn] = useState(() => areKeysOn(localStorage));
  useEffect(() => {
    if (!areOn) return;
    const hear = (event: KeyboardEvent): void => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      const place = hasG.current ? LETTERS.get(event.key) : undefined;
      hasG.current = event.key === "g";
      if (place !== undefined) go(pathTo({ page: place[0], parts: {}, query: {} } as Parameters<typeof pathTo>[0]));
      else if (event.key === "?") sheet.current?.showModal();
      else if (event.key === "/") {
        const search = document.querySelector<HTMLElement>("[type=search]");
        if (search === null) return;
        event.preventDefault();
        search.focus();
      } else if (event.key === "j") step(1);
      else if (event.key === "k") step(-1);
    };
    addEventListener("keydown", hear);
    return () => removeEventListener("keydown", hear);
  }, [areOn, go]);
  return (
    <footer className="unprinted">
      <button className="copy" onClick={() => sheet.current?.showModal()} type="button">
        Keyboard shortcuts
      </button>
      <dialog aria-labelledby="shortcuts" ref={sheet}>
        <h2 id="shortcuts">Keyboard shortcuts</h2>
        <p>
          <label htmlFor={field}>
            <input
              checked={areOn}
              id={field}
              onChange={({ target }) => {
                keepKeys(localStorage, target.checked);
                turn(target.checked);
              }}
              type="checkbox"
            />{" "}
            Use single-key shortcuts in this browser
          </label>
        </p>
        <dl>
          <dt>
            <kbd>?</kbd>
          </dt>
          <dd>this sheet</dd>
          <dt>
            <kbd>/</kbd>
          </dt>
          <dd>search</dd>
          <dt>
            <kbd>j</kbd> <kbd>k</kbd>
          </dt>
          <dd>next and previous row</dd>
          {Array.from(LETTERS, ([letter, [page, title]]) => (
            <div key={page}>
              <dt>
                <kbd>g</kbd> <kbd>{letter}</kbd>
              </dt>
              <dd>{title}</dd>
            </div>
          ))}
        </dl>
        <p className="soft">No key acts. What changes anything is a button that you press.</p>
        <form method="dialog">
          <button type="submit">Close</button>
        </form>
      </dialog>
    </footer>
  );
};
