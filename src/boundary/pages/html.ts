// HTML as a value: whatever is put into a template is text, and becomes markup only where it is a value of this
// kind already.
//
// So no name, reason or error of anybody can be markup. Not here: any sentence.

export type Html = { readonly html: string };
type Part = Html | number | string | undefined | readonly Part[];

const ESCAPES: Readonly<Record<string, string>> = {
  '"': "&quot;",
  "&": "&amp;",
  "'": "&#39;",
  "<": "&lt;",
  ">": "&gt;",
};

const escaped = (text: string): string => text.replace(/["&'<>]/g, (one) => ESCAPES[one] ?? "");

const isHtml = (part: Exclude<Part, undefined>): part is Html => typeof part === "object" && "html" in part;

const markup = (part: Part): string => {
  if (part === undefined) return "";
  if (typeof part === "number" || typeof part === "string") return escaped(String(part));
  return isHtml(part) ? part.html : part.map(markup).join("");
};

export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  html: texts.map((text, at) => `${text}${at < parts.length ? markup(parts[at]) : ""}`).join(""),
});
