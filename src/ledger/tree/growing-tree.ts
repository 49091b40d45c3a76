// growingTree(): a frontier that grows in place, for a walk over many leaves.
//
// Every level has the room of one node, in which a left child waits for its right one; both are hashed where they
// stand, and the hash is written once, into the level above. So a leaf makes no list and no text but its node's hash.
// Not here: the tree's definition and the frontier as a value (merkle.ts).

import { hash } from "node:crypto";
import type { Sha256 } from "../../spine/model.ts";
import { isSha256 } from "../../spine/values/hash.ts";
import { assert } from "../assert.ts";
import { type Frontier, HASH_BYTES, NODE_PREFIX, peakAt } from "./merkle.ts";

export type GrowingTree = {
  readonly size: () => number;
  readonly add: (leaf: Sha256) => void;
  /** As it is at this moment; it does not grow. */
  readonly frontier: () => Frontier;
};

const LEFT = 1;
const RIGHT = LEFT + HASH_BYTES;
/** The child with this number among those of its level. */
const sideOf = (child: number): number => (child % 2 === 0 ? LEFT : RIGHT);
const parentOf = (child: number): number => Math.floor(child / 2);

const leftIn = (room: Buffer): Sha256 => {
  const text = room.toString("hex", LEFT, RIGHT);
  assert.ok(isSha256(text), "the bytes of a hash have its text");
  return text;
};

export const growingTree = (from: Frontier): GrowingTree => {
  const rooms: Buffer[] = [];
  let { size } = from;

  const roomAt = (level: number): Buffer => {
    rooms[level] ??= Buffer.alloc(RIGHT + HASH_BYTES, NODE_PREFIX);
    return rooms[level];
  };
  /** Levels at which a left child waits, in the order of the peaks. */
  const waiting = (): readonly number[] => {
    const levels: number[] = [];
    for (let rest = size, level = 0; rest > 0; rest = parentOf(rest), level += 1) {
      if (sideOf(rest) === RIGHT) levels.unshift(level);
    }
    return levels;
  };
  for (const [at, level] of waiting().entries()) roomAt(level).write(peakAt(from.peaks, at), LEFT, "hex");

  return {
    add: (leaf) => {
      roomAt(0).write(leaf, sideOf(size), "hex");
      let level = 0;
      for (let child = size; sideOf(child) === RIGHT; child = parentOf(child)) {
        const node = hash("sha256", roomAt(level), "binary"); // a character for each byte
        level += 1;
        roomAt(level).write(node, sideOf(parentOf(child)), "latin1");
      }
      size += 1;
    },
    frontier: () => ({
      peaks: waiting().map((level) => leftIn(roomAt(level))),
      size,
    }),
    size: () => size,
  };
};
