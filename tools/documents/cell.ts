// A text in a cell of a Markdown table.

export const cell = (text: string): string => text.replaceAll("|", "\\|");
