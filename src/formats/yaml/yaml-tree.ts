// A YAML text as a tree: what stands there and where, and nothing of how it was read.
//
// Two readers make one: plain-yaml.ts of the files that nearly everybody writes, and yaml-compose.ts of every other.

export type YamlScalar = {
  readonly kind: "scalar";
  readonly at: number;
  /** Without quotes and escapes, before it was taken for a number or a word. */
  readonly source: string;
  readonly value: unknown;
};
export type YamlPair = { readonly key: YamlNode | undefined; readonly value: YamlNode | undefined };
export type YamlMap = { readonly kind: "map"; readonly at: number; readonly items: readonly YamlPair[] };
export type YamlSeq = { readonly kind: "seq"; readonly at: number; readonly items: readonly (YamlNode | undefined)[] };
/** What it stands for is never looked up. */
export type YamlAlias = { readonly kind: "alias"; readonly at: number };

export type YamlNode = YamlAlias | YamlMap | YamlScalar | YamlSeq;
