// Whether single keys lead somewhere, as this browser's person chose: WCAG 2.1.4. Kept in the browser, beside nothing
// else: one word, which says nothing of who they are.

const NAME = "dedalus-keys";

type Kept = Pick<Storage, "getItem" | "removeItem" | "setItem">;

export const areKeysOn = (kept: Kept): boolean => kept.getItem(NAME) !== "off";

export const keepKeys = (kept: Kept, areOn: boolean): void => {
  if (areOn) kept.removeItem(NAME);
  else kept.setItem(NAME, "off");
};
