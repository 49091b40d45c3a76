// mutantsOf(): every small change of one source that should turn a test red: a condition fixed, a conjunct dropped, a
// bound moved by one, a row of a table left out, a call not made. Pure: text in, values out, in the order of the
// source.
//
// Types are blanked in place, so that acorn's positions in the plain JavaScript are those of the source. Not here:
// strings, because no test may depend on a sentence; and types, which the compiler judges.

import { stripTypeScriptTypes } from "node:module";
import { type Node, parse } from "acorn";

export type Mutant = {
  readonly end: number;
  readonly file: string;
  readonly line: number;
  /** The whole line on which it begins, trimmed: what tells two equal pieces of one file apart. */
  readonly lineText: string;
  /** How many before it in this file have the same line, piece and replacement. */
  readonly nth: number;
  readonly original: string;
  readonly replacement: string;
  readonly start: number;
};

export const mutantsOf = (file: string, source: string): readonly Mutant[] => {
  const script = stripTypeScriptTypes(source);
  if (script.length !== source.length) throw new Error(`${file}: stripping the types moved the code`);
  const lines = source.split("\n");
  const starts = lineStarts(lines);
  const nodes = nodesIn(parse(script, { ecmaVersion: "latest", sourceType: "module" }));
  const comparisons = nodes.flatMap(comparisonIn);
  const changes = nodes
    .filter((node) => !(node.type === "Literal" && comparisons.some((one) => isWithin(node, one))))
    .flatMap((node) => (CHANGES[node.type] ?? NO_CHANGE)(node, source));
  const seen = new Map<string, number>();
  return changes
    .sort((one, other) => one.start - other.start || one.end - other.end)
    .map(({ end, replacement, start }): Mutant => {
      const line = starts.findLastIndex((at) => at <= start);
      const lineText = (lines[line] ?? "").trim();
      const original = source.slice(start, end);
      const kind = JSON.stringify([lineText, original, replacement]);
      const nth = seen.get(kind) ?? 0;
      seen.set(kind, nth + 1);
      return { end, file, line: line + 1, lineText, nth, original, replacement, start };
    });
};

export const mutated = (source: string, { end, replacement, start }: Mutant): string =>
  source.slice(0, start) + replacement + source.slice(end);

type Change = { readonly end: number; readonly replacement: string; readonly start: number };
/** What acorn gives, seen as the plain record that it is. */
type Syntax = Node & Readonly<Record<string, unknown>>;
type Changing = (node: Syntax, source: string) => readonly Change[];

const NO_CHANGE: Changing = () => [];
const put = ({ end, start }: Node, replacement: string): Change => ({ end, replacement, start });
const part = (node: Syntax, name: string): Syntax => node[name] as Syntax;
const text = (source: string, { end, start }: Node): string => source.slice(start, end);

const OTHER_OPERATOR: Readonly<Record<string, string>> = {
  "!==": "===",
  "*": "/",
  "+": "-",
  "-": "+",
  "<": "<=",
  "<=": "<",
  "===": "!==",
  ">": ">=",
  ">=": ">",
};
const OTHER_QUANTIFIER: ReadonlyMap<unknown, string> = new Map([
  ["every", "some"],
  ["some", "every"],
]);

/** Of what a comparison for sorting gives, only the sign counts; its numbers are left alone. */
const SORTS: ReadonlySet<unknown> = new Set(["sort", "toSorted"]);
const comparisonIn = (node: Syntax): readonly Syntax[] => {
  if (node.type !== "CallExpression" || part(node, "callee").type !== "MemberExpression") return [];
  return SORTS.has(part(part(node, "callee"), "property")["name"]) ? (node["arguments"] as readonly Syntax[]) : [];
};
const isWithin = (inner: Node, outer: Node): boolean => outer.start <= inner.start && inner.end <= outer.end;

const bothWays: Changing = (node) => [put(part(node, "test"), "true"), put(part(node, "test"), "false")];

/** Parentheses are no nodes, so what stands between the two sides is kept as it is. */
const otherOperator: Changing = (node, source) => {
  const operator = node["operator"] as string;
  const other = OTHER_OPERATOR[operator];
  if (other === undefined) return [];
  const { end } = part(node, "left");
  const { start } = part(node, "right");
  const between = source.slice(end, start).replace(operator, other);
  return [put(node, source.slice(node.start, end) + between + source.slice(start, node.end))];
};

const eachSideAlone: Changing = (node, source) => [
  put(node, `(${text(source, part(node, "left"))})`),
  put(node, `(${text(source, part(node, "right"))})`),
];

/** A spread of a choice is left to the choice: one of its two sides is the empty one already. */
const isLeftToItself = (one: Syntax): boolean =>
  one.type === "SpreadElement" && part(one, "argument").type === "ConditionalExpression";

const withoutElement: Changing = (node, source) => {
  const elements = (node["elements"] as readonly (Syntax | null)[]).filter((one) => one !== null);
  return elements
    .filter((one) => !isLeftToItself(one))
    .map((dropped) => {
      const rest = elements.filter((one) => one !== dropped).map((one) => text(source, one));
      return put(node, `[${rest.join(", ")}]`);
    });
};

/** Members that are written are a matter of the type; those that are spread in are not missed by it. */
const withoutSpread: Changing = (node, source) => {
  const members = node["properties"] as readonly Syntax[];
  return members
    .filter((one) => one.type === "SpreadElement" && !isLeftToItself(one))
    .map((dropped) => {
      const rest = members.filter((one) => one !== dropped).map((one) => text(source, one));
      return put(node, `{ ${rest.join(", ")} }`);
    });
};

const otherLiteral: Changing = (node) => {
  const { value } = node;
  if (typeof value === "boolean") return [put(node, String(!value))];
  return typeof value === "number" ? [put(node, String(value + 1))] : [];
};

const withoutCall: Changing = (node) => {
  const { type } = part(node, "expression");
  return type === "CallExpression" || type === "AwaitExpression" ? [put(node, ";")] : [];
};

const otherQuantifier: Changing = (node) => {
  const property = part(node, "property");
  const other = node["computed"] === true ? undefined : OTHER_QUANTIFIER.get(property["name"]);
  return other === undefined ? [] : [put(property, other)];
};

const CHANGES: Readonly<Record<string, Changing>> = {
  ArrayExpression: withoutElement,
  BinaryExpression: otherOperator,
  ConditionalExpression: bothWays,
  ExpressionStatement: withoutCall,
  IfStatement: bothWays,
  Literal: otherLiteral,
  LogicalExpression: eachSideAlone,
  MemberExpression: otherQuantifier,
  ObjectExpression: withoutSpread,
  UnaryExpression: (node, source) =>
    node["operator"] === "!" ? [put(node, `(${text(source, part(node, "argument"))})`)] : [],
};

const isSyntax = (value: unknown): value is Syntax =>
  typeof value === "object" && value !== null && "type" in value && "start" in value;

const nodesIn = (root: Node): readonly Syntax[] => {
  const found: Syntax[] = [];
  const waiting: unknown[] = [root];
  while (waiting.length > 0) {
    const one = waiting.pop();
    if (Array.isArray(one)) waiting.push(...one);
    else if (isSyntax(one)) {
      found.push(one);
      waiting.push(...Object.values(one));
    }
  }
  return found;
};

const lineStarts = (lines: readonly string[]): readonly number[] => {
  let at = 0;
  return lines.map(({ length }) => {
    const start = at;
    at += length + 1;
    return start;
  });
};
