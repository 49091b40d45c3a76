// A map that never changes: put and drop give another one that shares nearly everything with the first.
//
// The kernel decides on states that may be thrown away (another writer was first), and a command must not cost more
// when the ledger is longer; copying a Map would. A trie over a hash of the key, 32 ways at each level.

type Leaf<V> = { readonly hash: number; readonly key: string; readonly value: V };
/** `bits` says which of the 32 places are taken; `nodes` holds those alone, in order. */
type Branch<V> = { readonly bits: number; readonly nodes: readonly Node<V>[] };
/** Different keys whose hashes are the same in every bit. */
type Bucket<V> = { readonly leaves: readonly Leaf<V>[] };
type Node<V> = Leaf<V> | Branch<V> | Bucket<V>;

export type PersistentMap<V> = { readonly root: Node<V> | undefined; readonly size: number };

export const EMPTY: PersistentMap<never> = { root: undefined, size: 0 };

const BITS = 5;
const HASH_BITS = 32;

const hashOf = (key: string): number => (key.length === ULID_LENGTH ? spreadByTime(key) : spread(key));

/** FNV-1a over the code units. */
const spread = (key: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return hash >>> 0;
};

const ULID_LENGTH = 26;
/** The letters of a ULID's time that tell the milliseconds of nine hours apart, five bits each. */
const TIME_FROM = 5;
const TIME_TO = 10;
const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const DIGIT = Uint8Array.from({ length: 0x80 }, (_, code) => Math.max(0, DIGITS.indexOf(String.fromCharCode(code))));
const digitAt = (key: string, at: number): number => DIGIT[key.charCodeAt(at)] ?? 0;

/**
 * Nearly every key is the id of a record, and what came together is asked for together. So a way down begins with the
 * coarse of the time and ends with the fine: the ways to young keys share their upper nodes, which stay in the cache.
 * Seven bits of the rest tell those of one millisecond apart.
 */
const spreadByTime = (key: string): number => {
  let hash = (digitAt(key, ULID_LENGTH - 2) << BITS) | digitAt(key, ULID_LENGTH - 1);
  for (let at = TIME_TO - 1; at >= TIME_FROM; at -= 1) hash = (hash << BITS) | digitAt(key, at);
  return hash >>> 0;
};

const slotOf = (hash: number, shift: number): number => 1 << ((hash >>> shift) & 31);
const countOf = (bits: number): number => {
  let count = bits - ((bits >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return (((count + (count >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
};
const indexOf = (bits: number, slot: number): number => countOf(bits & (slot - 1));

export const get = <V>({ root }: PersistentMap<V>, key: string): V | undefined => {
  if (root === undefined) return undefined;
  // Many maps of a state hold one entry, which is found without hashing.
  if ("key" in root) return root.key === key ? root.value : undefined;
  return found(root, key, hashOf(key));
};

const found = <V>(root: Node<V>, key: string, hash: number): V | undefined => {
  let node: Node<V> | undefined = root;
  for (let shift = 0; node !== undefined; shift += BITS) {
    if ("key" in node) return node.key === key ? node.value : undefined;
    if ("leaves" in node) return node.leaves.find((leaf) => leaf.key === key)?.value;
    const slot = slotOf(hash, shift);
    node = (node.bits & slot) === 0 ? undefined : node.nodes[indexOf(node.bits, slot)];
  }
  return undefined;
};

export const put = <V>(map: PersistentMap<V>, key: string, value: V): PersistentMap<V> => {
  const { root, size } = map;
  const leaf = { hash: hashOf(key), key, value };
  if (root === undefined) return { root: leaf, size: 1 };
  return { root: joined(root, leaf, 0), size: found(root, key, leaf.hash) === undefined ? size + 1 : size };
};

const joined = <V>(node: Node<V>, leaf: Leaf<V>, shift: number): Node<V> => {
  if ("key" in node) return node.key === leaf.key ? leaf : parted(node, leaf, shift);
  if ("leaves" in node) return { leaves: [...node.leaves.filter(({ key }) => key !== leaf.key), leaf] };
  const slot = slotOf(leaf.hash, shift);
  const index = indexOf(node.bits, slot);
  const child = (node.bits & slot) === 0 ? undefined : node.nodes[index];
  const nodes =
    child === undefined
      ? node.nodes.toSpliced(index, 0, leaf)
      : node.nodes.with(index, joined(child, leaf, shift + BITS));
  return { bits: node.bits | slot, nodes };
};

/** Two keys that came to the same place: as many levels down as their hashes agree. */
const parted = <V>(one: Leaf<V>, other: Leaf<V>, shift: number): Node<V> => {
  if (shift >= HASH_BITS) return { leaves: [one, other] };
  const [a, b] = [slotOf(one.hash, shift), slotOf(other.hash, shift)];
  if (a === b) return { bits: a, nodes: [parted(one, other, shift + BITS)] };
  return { bits: a | b, nodes: indexOf(a | b, a) === 0 ? [one, other] : [other, one] };
};

export const drop = <V>(map: PersistentMap<V>, key: string): PersistentMap<V> => {
  const { root, size } = map;
  const hash = root === undefined ? 0 : hashOf(key);
  if (root === undefined || found(root, key, hash) === undefined) return map;
  return { root: without(root, key, hash, 0), size: size - 1 };
};

const without = <V>(node: Node<V>, key: string, hash: number, shift: number): Node<V> | undefined => {
  if ("key" in node) return undefined;
  if ("leaves" in node) {
    const leaves = node.leaves.filter((leaf) => leaf.key !== key);
    return leaves.length === 1 ? leaves[0] : { leaves };
  }
  const slot = slotOf(hash, shift);
  const index = indexOf(node.bits, slot);
  const child = node.nodes[index];
  const rest = child === undefined ? undefined : without(child, key, hash, shift + BITS);
  if (rest !== undefined) return { bits: node.bits, nodes: node.nodes.with(index, rest) };
  const nodes = node.nodes.toSpliced(index, 1);
  return nodes.length === 0 ? undefined : { bits: node.bits & ~slot, nodes };
};

/** What putting one after another would make, in one go. No key stands twice. */
export const mapFrom = <V>(list: readonly (readonly [string, V])[]): PersistentMap<V> => ({
  root: grouped(
    list.map(([key, value]) => ({ hash: hashOf(key), key, value })),
    0,
  ),
  size: list.length,
});

const grouped = <V>(leaves: readonly Leaf<V>[], shift: number): Node<V> | undefined => {
  const [first] = leaves;
  if (leaves.length <= 1) return first;
  if (shift >= HASH_BITS) return { leaves };
  const groups: Leaf<V>[][] = [];
  let bits = 0;
  for (const leaf of leaves) {
    const at = (leaf.hash >>> shift) & 31;
    bits |= 1 << at;
    const group = groups[at];
    if (group === undefined) groups[at] = [leaf];
    else group.push(leaf);
  }
  return { bits, nodes: groups.flatMap((group) => grouped(group, shift + BITS) ?? []) };
};

/** The first value that holds, in the order of the entries; without making entries of them. */
export const find = <V>({ root }: PersistentMap<V>, holds: (value: V) => boolean): V | undefined =>
  root === undefined ? undefined : findIn(root, holds);

const findIn = <V>(node: Node<V>, holds: (value: V) => boolean): V | undefined => {
  if ("key" in node) return holds(node.value) ? node.value : undefined;
  for (const child of "leaves" in node ? node.leaves : node.nodes) {
    const value = findIn(child, holds);
    if (value !== undefined) return value;
  }
  return undefined;
};

/** In an order that follows from the keys and how they came; sort where an order is shown or hashed. */
export function* entries<V>(map: PersistentMap<V>): Generator<readonly [string, V]> {
  if (map.root !== undefined) yield* entriesOf(map.root);
}

function* entriesOf<V>(node: Node<V>): Generator<readonly [string, V]> {
  if ("key" in node) yield [node.key, node.value];
  else if ("leaves" in node) for (const { key, value } of node.leaves) yield [key, value];
  else for (const child of node.nodes) yield* entriesOf(child);
}
