// A reason or a remark as a record has it: one line, whatever somebody typed it into. A break is a blank.

export const oneLine = (text: string): string => text.replaceAll(/\s*[\r\n]\s*/g, " ").trim();
