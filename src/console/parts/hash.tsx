// A hash: two short groups, all of it when it has the focus, spoken by its first and last digits, and to be copied.

import { type ReactNode, useState } from "react";

const GROUP = 6;

export const Hash = ({ name, of }: { readonly name: string; readonly of: string }): ReactNode => {
  const [isWhole, showWhole] = useState(false);
  const copy = (): void => void navigator.clipboard.writeText(of);
  const [first, last] = [of.slice(0, GROUP), of.slice(-GROUP)];
  return (
    <button
      aria-label={`${name} ${[...first].join(" ")} to ${[...last].join(" ")}. Press to copy all of it.`}
      className="hash machine"
      onBlur={() => showWhole(false)}
      onClick={copy}
      onFocus={() => showWhole(true)}
      type="button"
    >
      {isWhole ? of : `${first}…${last}`}
    </button>
  );
};
