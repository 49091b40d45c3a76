// What narrows a list: a search and closed choices. Each is part of the address, and nothing else: the same list is
// shown again to whoever is sent it.

import { type ReactNode, useId } from "react";
import type { Address } from "../page-address.ts";
import { Link } from "./link.tsx";

/** Enter does nothing here: what is typed filters at once. */
export const SearchField = ({
  find,
  label,
  onFind,
}: {
  readonly find: string | undefined;
  readonly label: string;
  readonly onFind: (find: string) => void;
}): ReactNode => {
  const id = useId();
  return (
    <div className="filter">
      <label htmlFor={id}>{label}</label>
      <input
        autoComplete="off"
        id={id}
        onChange={({ target }) => onFind(target.value)}
        spellCheck="false"
        type="search"
        value={find ?? ""}
      />
    </div>
  );
};

export const ChoiceField = ({
  choices,
  label,
  onChoose,
  value,
}: {
  /** What stands in the address, and what is read. */
  readonly choices: readonly (readonly [word: string, text: string])[];
  readonly label: string;
  readonly onChoose: (word: string) => void;
  readonly value: string | undefined;
}): ReactNode => {
  const id = useId();
  return (
    <div className="filter">
      <label htmlFor={id}>{label}</label>
      <select id={id} onChange={({ target }) => onChoose(target.value)} value={value ?? ""}>
        {choices.map(([word, text]) => (
          <option key={word} value={word}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
};

/** A word that the page does not know is named, and shows nothing else in its place. */
export const UnknownChoice = ({
  filter,
  known,
  whole,
  word,
}: {
  readonly filter: string;
  readonly known: readonly string[];
  /** The same page without filters. */
  readonly whole: Address;
  readonly word: string;
}): ReactNode => (
  <div className="notice" role="alert">
    <p>
      <strong>This page has no such filter.</strong> <span className="machine">{filter}</span> is one of{" "}
      <span className="machine">{known.join(", ")}</span>, not <span className="machine">{word}</span>.
    </p>
    <p>
      <Link to={whole}>Clear filters</Link>
    </p>
  </div>
);
