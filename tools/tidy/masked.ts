// One source text seen three ways, each as long as the text itself, so that positions and lines stay true:
// `code` without comments, `bare` without comments and without what stands inside texts and patterns, `notes` with
// nothing but comments.
//
// A hand-written scan and no parser: it knows where comments, texts, templates and regular expressions begin and end.

export type Masked = { readonly code: string; readonly bare: string; readonly notes: string };

type Kind = "code" | "comment" | "text";
type Span = { readonly kind: Kind; readonly from: number; readonly to: number };

const blank = (text: string): string => text.replace(/[^\n]/g, " ");

export const masked = (text: string): Masked => {
  const spans = spansOf(text);
  const shown = (kinds: readonly Kind[]): string =>
    spans
      .map(({ from, kind, to }) => (kinds.includes(kind) ? text.slice(from, to) : blank(text.slice(from, to))))
      .join("");
  return { bare: shown(["code"]), code: shown(["code", "text"]), notes: shown(["comment"]) };
};

/** Quotes, backticks and slashes that enclose a text belong to the code; what is between them is the text. */
const spansOf = (text: string): readonly Span[] => {
  const spans: Span[] = [];
  const depths: number[] = []; // one entry for each open `${`, counting the braces inside it
  let at = 0;
  let start = 0;
  const close = (kind: Kind, to: number): void => {
    if (to > start) spans.push({ from: start, kind, to });
    start = to;
    at = to;
  };
  /** The opening sign, what it encloses, and the `length` signs that close it. */
  const enclose = (end: number, length: number): void => {
    close("code", at + 1);
    close("text", end);
    at = Math.min(end + length, text.length);
  };
  while (at < text.length) {
    const here = text[at];
    const next = text[at + 1];
    const depth = depths.at(-1);
    if (here === "/" && (next === "/" || next === "*")) {
      close("code", at);
      close("comment", endOfComment(text, at));
    } else if (here === '"' || here === "'") {
      enclose(endOf(text, at, here), 1);
    } else if (here === "/" && beginsPattern(text.slice(Math.max(0, at - 200), at))) {
      enclose(endOfPattern(text, at), 1);
    } else if (here === "`" || (here === "}" && depth === 0)) {
      if (here === "}") depths.pop();
      const end = endOfTemplatePiece(text, at);
      const goesOn = text[end] === "$";
      if (goesOn) depths.push(0);
      enclose(end, goesOn ? 2 : 1);
    } else {
      if (depth !== undefined && here === "{") depths[depths.length - 1] = depth + 1;
      if (depth !== undefined && here === "}") depths[depths.length - 1] = depth - 1;
      at += 1;
    }
  }
  close("code", text.length);
  return spans;
};

const endOrLength = (text: string, found: number): number => (found === -1 ? text.length : found);

const endOfComment = (text: string, at: number): number =>
  text[at + 1] === "/"
    ? endOrLength(text, text.indexOf("\n", at))
    : Math.min(endOrLength(text, text.indexOf("*/", at + 2)) + 2, text.length);

const endOf = (text: string, opens: number, quote: string): number => {
  let at = opens + 1;
  while (at < text.length && text[at] !== quote && text[at] !== "\n") at += text[at] === "\\" ? 2 : 1;
  return Math.min(at, text.length);
};

const endOfPattern = (text: string, opens: number): number => {
  let at = opens + 1;
  let inClass = false;
  while (at < text.length && text[at] !== "\n" && (inClass || text[at] !== "/")) {
    if (text[at] === "[") inClass = true;
    if (text[at] === "]") inClass = false;
    at += text[at] === "\\" ? 2 : 1;
  }
  return Math.min(at, text.length);
};

const endOfTemplatePiece = (text: string, opens: number): number => {
  let at = opens + 1;
  while (at < text.length && text[at] !== "`" && !(text[at] === "$" && text[at + 1] === "{")) {
    at += text[at] === "\\" ? 2 : 1;
  }
  return Math.min(at, text.length);
};

/** After a value a slash divides; after anything else, and after a word such as return, it opens a pattern. */
const beginsPattern = (before: string): boolean => {
  const last = before.trimEnd();
  if (/\b(?:return|typeof|case|in|of|void|delete|instanceof|new|do|else|yield|await)$/.test(last)) return true;
  return !/[\w$)\]}"'`]$/.test(last);
};
