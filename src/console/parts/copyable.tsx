// What can be copied: a command, an address, a hash. Copying is all that the button does.

import { type ReactNode, useState } from "react";

export const CopyButton = ({ name, text }: { readonly name: string; readonly text: string }): ReactNode => {
  const [copied, say] = useState<"" | "copied" | "not copied">("");
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => say("copied"),
      () => say("not copied"),
    );
  };
  return (
    <>
      <button aria-label={`Copy ${name}`} className="copy" onClick={copy} type="button">
        Copy
      </button>
      <span className="soft" role="status">
        {copied}
      </span>
    </>
  );
};

/** One line that a machine takes. */
export const Copyable = ({ name, text }: { readonly name: string; readonly text: string }): ReactNode => (
  <p className="copyable">
    <span className="soft">{name}</span> <code className="machine">{text}</code> <CopyButton name={name} text={text} />
  </p>
);
