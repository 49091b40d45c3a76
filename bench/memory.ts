// Peak memory of the whole way (read, parse, digest, plan, safety) against the heap of the parsed observation alone.
//
// The peak is the resident size that the system saw, of a process that does nothing else, less that of an idle one.
// The children are this file's own second life: see memory-child.ts.

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fleetOf } from "./fleet.ts";
import { withFolder } from "./folder.ts";
import type { Row } from "./row.ts";

const CHILD = fileURLToPath(new URL("memory-child.ts", import.meta.url));
const TURNS = 3;

export const memoryRow = (vms: number): Row =>
  withFolder((folder) => {
    const fleet = fleetOf({ driftPercent: 10, order: "sorted", vms });
    const [current, desired] = [join(folder, "current.json"), join(folder, "desired.json")];
    writeFileSync(current, fleet.text);
    writeFileSync(desired, fleet.desiredText);
    const bytes = (role: string): number =>
      Math.max(...Array.from({ length: TURNS }, () => bytesOf(role, current, desired)));
    return {
      goal: 6,
      measure: `peak memory, ${vms} VMs, to the heap of the parsed observation`,
      statistic: `worst of ${TURNS} runs`,
      value: (bytes("whole") - bytes("idle")) / bytesOf("parsed", current, desired),
    };
  });

const bytesOf = (role: string, current: string, desired: string): number => {
  const words = ["--expose-gc", CHILD, role, current, desired];
  const { status, stderr, stdout } = spawnSync(process.execPath, words, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${role} ended with ${status}: ${stderr}`);
  return Number(stdout);
};
