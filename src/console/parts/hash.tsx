// A hash: two short groups, all of it when it has the focus, spoken by its first and last digits. Pressed, it is copied
// and can be held against another one.

import { type ReactNode, useState } from "react";

const GROUP = 6;

/** What became of a press: a browser may not let a page write to the clipboard. */
type Pressed = "copied" | "not copied";

export const Hash = ({ name, of }: { readonly name: string; readonly of: string }): ReactNode => {
  const [isWhole, showWhole] = useState(false);
  const [pressed, tell] = useState<Pressed | undefined>(undefined);
  const copy = (): void =>
    void navigator.clipboard.writeText(of).then(
      () => tell("copied"),
      () => tell("not copied"),
    );
  const [first, last] = [of.slice(0, GROUP), of.slice(-GROUP)];
  const spoken = `${[...first].join(" ")} to ${[...last].join(" ")}`;
  return (
    <>
      <button
        aria-label={`${name} ${first}…${last}: ${spoken}. Press to copy or compare it.`}
        className="hash machine"
        onBlur={() => showWhole(false)}
        onClick={copy}
        onFocus={() => showWhole(true)}
        type="button"
      >
        {isWhole ? of : `${first}…${last}`}
      </button>
      {pressed === undefined ? undefined : <Compared name={name} of={of} pressed={pressed} />}
    </>
  );
};

const Compared = ({
  name,
  of,
  pressed,
}: {
  readonly name: string;
  readonly of: string;
  readonly pressed: Pressed;
}): ReactNode => {
  const [typed, type] = useState("");
  const other = typed.trim().toLowerCase();
  return (
    <span className="compared">
      {" "}
      <input
        aria-label={`Compare ${name} with`}
        className="machine"
        onChange={({ target }) => type(target.value)}
        placeholder="compare with"
        size={16}
        value={typed}
      />{" "}
      <span role="status">{other === "" ? pressed : other === of ? "the same" : "another one"}</span>
    </span>
  );
};
