// The tree as tiles and the lines as entry bundles, in the layout of C2SP tlog-tiles, so that tools for such logs
// apply.
//
// A tile holds up to 256 hashes of one level; a bundle holds the lines under a tile of level 0, each behind its length
// in two bytes. Files come out as they fill, so that memory stays small whatever the size. https://c2sp.org/tlog-tiles

import type { Sha256 } from "../../spine/model.ts";
import { leafHash } from "../record/leaf.ts";
import { EMPTY_FRONTIER, grown, rootOf } from "./merkle.ts";

const WIDTH = 256;
const DIGITS = 3;
const LENGTH_BYTES = 2;

/** With slashes, below the folder of the log. */
export type TileFile = { readonly path: string; readonly bytes: Uint8Array };

/** 1234067 is x001/x234/067. */
const indexPath = (index: number): string => {
  const digits = String(index);
  const padded = digits.padStart(Math.ceil(digits.length / DIGITS) * DIGITS, "0");
  const parts = padded.match(/.{3}/g) ?? [];
  return parts.map((part, at) => (at === parts.length - 1 ? part : `x${part}`)).join("/");
};

export const tilePath = (level: string, index: number, width: number): string =>
  `tile/${level}/${indexPath(index)}${width === WIDTH ? "" : `.p/${width}`}`;

export type Tiler = {
  /** A walk that has the line's hash already gives it. */
  readonly take: (line: Uint8Array, hash?: Sha256) => readonly TileFile[];
  /** The partial tiles of the tree as it stands. */
  readonly end: () => readonly TileFile[];
};

type Level = { readonly hashes: Sha256[]; full: number };

export const tiler = (): Tiler => {
  const levels: Level[] = [];
  let bundle: Uint8Array[] = [];
  let bundles = 0;

  const tileAt = (level: number, { full, hashes }: Level): TileFile => ({
    bytes: Buffer.from(hashes.join(""), "hex"),
    path: tilePath(String(level), full, hashes.length),
  });
  const bundleFile = (): TileFile => ({
    bytes: Buffer.concat(bundle.flatMap((line) => [lengthOf(line), line])),
    path: tilePath("entries", bundles, bundle.length),
  });
  const push = (level: number, hash: Sha256): readonly TileFile[] => {
    const here = levels[level] ?? { full: 0, hashes: [] };
    levels[level] = here;
    here.hashes.push(hash);
    if (here.hashes.length < WIDTH) return [];
    const tile = tileAt(level, here);
    const root = rootOf(here.hashes.reduce(grown, EMPTY_FRONTIER));
    levels[level] = { full: here.full + 1, hashes: [] };
    return [tile, ...push(level + 1, root)];
  };
  return {
    end: () => [
      ...levels.flatMap((level, at) => (level.hashes.length === 0 ? [] : [tileAt(at, level)])),
      ...(bundle.length === 0 ? [] : [bundleFile()]),
    ],
    take: (line, hash = leafHash(line)) => {
      // The bytes may lie in a buffer that is used again.
      bundle.push(Buffer.from(line));
      const tiles = push(0, hash);
      if (bundle.length < WIDTH) return tiles;
      const whole = bundleFile();
      bundle = [];
      bundles += 1;
      return [...tiles, whole];
    },
  };
};

const lengthOf = (line: Uint8Array): Uint8Array => {
  const bytes = Buffer.alloc(LENGTH_BYTES);
  // A line that is too long for the layout is no record; its length is cut, so that no tile of a sound log is equal.
  bytes.writeUInt16BE(line.length & 0xffff);
  return bytes;
};
