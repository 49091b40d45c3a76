// Percent-encoding undone, or undefined for a text that only looks encoded.

export const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};
