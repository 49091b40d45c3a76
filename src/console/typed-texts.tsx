// What a person typed on a page stays while the page is read again, and is gone with the page: whoever comes back
// decides anew. What was recorded with an act is not offered for another one.

import { createContext, type ReactNode, useContext, useState } from "react";

const Held = createContext<Map<string, string> | undefined>(undefined);

export const TypedTexts = ({ children }: { readonly children: ReactNode }): ReactNode => {
  const [texts] = useState(() => new Map<string, string>());
  return <Held value={texts}>{children}</Held>;
};

type Typed = readonly [text: string, type: (text: string) => void, forget: () => void];

/** `field` is its name on the page. */
export const useTyped = (field: string): Typed => {
  const texts = useContext(Held);
  if (texts === undefined) throw new Error("the page holds what is typed");
  const [text, type] = useState(() => texts.get(field) ?? "");
  const keep = (typed: string): void => {
    texts.set(field, typed);
    type(typed);
  };
  return [text, keep, () => void texts.delete(field)];
};
