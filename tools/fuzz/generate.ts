// Whole files by chance: nearly right ones, whose fields come from small pools of right and wrong values.
//
// Few vmids and few names, so that entries and states meet and clash. Mutation alone (mutate.ts) seldom gets this far.

import type { Chance } from "./chance.ts";
import { ENVIRONMENT } from "./corpus.ts";

type Pool = readonly [unknown, ...unknown[]];

const VMID: Pool = [101, 102, 103, 104, 105, 106];
const NAME: Pool = ["web-01", "web-01", "web-01", "prod-db", "PROD-db", "cache é", "web\u2028x", "\u{1f600}"];
const IDENTITY: Pool = ["uuid-a", "uuid-a", "uuid-b"];
const CPUS: Pool = [1, 2, 4];
const BYTES: Pool = [2 ** 30, 2 ** 31, 1_000_000_007];
const WRONG: Pool = [
  "",
  " ",
  null,
  0,
  -1,
  1.5,
  1e21,
  2 ** 53,
  true,
  false,
  [],
  {},
  [[]],
  "\0",
  "a\u009bb",
  "x".repeat(2_000),
  "\u202e",
  { __proto__: 1 },
  "all",
  "yes",
];

type Field = { readonly key: string; readonly from: Pool; readonly oneIn: number };
const always = (key: string, from: Pool): Field => ({ from, key, oneIn: 1 });
const often = (key: string, from: Pool): Field => ({ from, key, oneIn: 2 });
const seldom = (key: string, from: Pool): Field => ({ from, key, oneIn: 6 });

const ENTRY: readonly Field[] = [
  always("vmid", VMID),
  always("name", NAME),
  always("target", ["running", "stopped"]),
  often("cpus", CPUS),
  often("memory", ["1 GiB", "2GiB", 2 ** 30, "2 GB", "1024 KiB"]),
  often("stop", ["shutdown", "power-off"]),
  seldom("identity", IDENTITY),
  seldom("protected", [true]),
];
const STATE: readonly Field[] = [
  always("vmid", VMID),
  always("name", NAME),
  always("status", ["running", "stopped", "running", "stopped", "unknown"]),
  often("cpus", CPUS),
  often("maxmem", BYTES),
  often("source", ["live", "telemetry"]),
  often("kind", ["vm", "ct"]),
  seldom("paused", [true]),
  seldom("tags", [["prod"], ["PROD", "web"], ["web"], []]),
  often("identity", IDENTITY),
  seldom("node", ["pve1", "pve2"]),
  seldom("revision", ["r1"]),
  seldom("boot", ["b1"]),
  seldom("resize", ["hot", "restart"]),
  seldom("because", ["node did not answer"]),
  seldom("pending", [{ cpus: 4 }, { maxmem: 2 ** 31 }]),
  seldom("blockers", [
    [{ actions: "all", because: "locked" }],
    [{ actions: ["vm.start", "vm.stop"], because: "no quorum" }],
  ]),
];

/** About one field in forty is wrong, so that most files have few problems and many have none. */
const objectOf = (fields: readonly Field[], chance: Chance): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    fields
      .filter(({ oneIn }) => chance.oneIn(oneIn))
      .map(({ from, key }) => [
        chance.oneIn(400) ? "__proto__" : key,
        chance.oneIn(80) ? chance.pick(WRONG) : chance.pick(from),
      ]),
  );

const some = (fields: readonly Field[], chance: Chance): readonly unknown[] =>
  Array.from({ length: chance.below(7) }, () => objectOf(fields, chance));

/**
 * For entries, the way to stop goes with the target and vmids are mostly different, or nearly nothing would be
 * accepted.
 */
const entries = (chance: Chance): readonly unknown[] =>
  some(ENTRY, chance).map((entry, at) => {
    const { stop, ...rest } = entry as Readonly<Record<string, unknown>>;
    const isFitting = !chance.oneIn(20);
    const vmid = isFitting ? 101 + at : rest["vmid"];
    return rest["target"] === "stopped" && isFitting ? { ...rest, stop: stop ?? "shutdown", vmid } : { ...rest, vmid };
  });

const environment = (chance: Chance): unknown =>
  chance.oneIn(30) ? chance.pick(["cloud", "Home", "", 7]) : ENVIRONMENT;

export const desiredText = (chance: Chance): string =>
  written({ environment: environment(chance), version: 1, vms: entries(chance) }, chance);

export const currentText = (chance: Chance): string =>
  written(
    {
      complete: !chance.oneIn(4),
      environment: environment(chance),
      ...(chance.oneIn(4) ? { gaps: chance.pick([[], ["node pve2 did not answer"]]) } : {}),
      ...(chance.oneIn(2) ? { observedAt: "2026-11-15T10:00:00.000Z" } : {}),
      version: 1,
      vms: some(STATE, chance),
    },
    chance,
  );

export const bareText = (chance: Chance): string => written(some(STATE, chance), chance);

/** JSON is YAML too, so one way of writing serves both. */
const written = (value: unknown, chance: Chance): string => JSON.stringify(value, null, chance.pick([0, 1, 2]));
