// The words of one run of the mutator, read strictly: a wrong one is an error, never a default.

import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { isRoomName, ROOMS, type RoomName } from "./rooms.ts";

export type Options = {
  /** How many mutants of each room; all of them when undefined. */
  readonly count: number | undefined;
  readonly direct: boolean;
  readonly files: readonly string[] | undefined;
  readonly jobs: number;
  readonly rooms: readonly RoomName[];
  readonly seed: number;
};

export const optionsOf = (args: readonly string[], chance: () => number): Options => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      all: { default: false, type: "boolean" },
      count: { default: "40", type: "string" },
      direct: { default: false, type: "boolean" },
      file: { multiple: true, type: "string" },
      jobs: { default: String(availableParallelism()), type: "string" },
      room: { multiple: true, type: "string" },
      seed: { type: "string" },
    },
  });
  const { file: files } = values;
  for (const file of files ?? []) {
    if (!existsSync(file)) throw new RangeError(`--file takes a source of this tree, not ${file}`);
  }
  return {
    count: values.all ? undefined : wholeNumber("count", values.count),
    direct: values.direct,
    files,
    jobs: Math.max(1, wholeNumber("jobs", values.jobs)),
    rooms: [...new Set((values.room ?? files?.map(roomOf) ?? Object.keys(ROOMS)).map(roomName))],
    seed: values.seed === undefined ? Math.floor(chance() * 2 ** 31) : wholeNumber("seed", values.seed),
  };
};

const roomOf = (file: string): string => file.split("/")[1] ?? "";

const roomName = (word: string): RoomName => {
  if (!isRoomName(word)) throw new RangeError(`--room takes one of ${Object.keys(ROOMS).join(", ")}, not ${word}`);
  return word;
};

const wholeNumber = (name: string, text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`--${name} takes a whole number, not ${text}`);
  return value;
};
