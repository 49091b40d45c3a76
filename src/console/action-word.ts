// An action as people call it: its kind without the beginning that all of them have.

export const actionWord = (action: string): string => action.replace(/^vm\./, "");
