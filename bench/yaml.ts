// parseDesired() against the yaml package's own parseDocument() on the same text.
//
// Half of the entries are written on one line and half on several, since operators do both.

import { parseDocument } from "yaml";
import { parseDesired } from "../src/formats/desired-yaml.ts";
import type { DesiredVm } from "../src/spine/model.ts";
import { desiredStateIn, ENVIRONMENT, fleetOf } from "./fleet.ts";
import { race } from "./race.ts";
import type { Row } from "./row.ts";

const SIZES = [1_000, 10_000] as const;
const LIMITS = { limitMs: 5_000, roundsMin: 7 } as const;

export const yamlRows = (): readonly Row[] =>
  SIZES.map((entries) => {
    const text = desiredText(desiredStateIn(fleetOf({ driftPercent: 0, order: "sorted", vms: entries })));
    const read = parseDesired(text, "desired.yaml");
    if (read.kind === "bad") throw new Error(JSON.stringify(read.problems[0]));
    const { ratio, statistic } = race(LIMITS, {
      ours: () => parseDesired(text, "desired.yaml"),
      theirs: () => parseDocument(text),
    });
    return {
      goal: 1.3,
      measure: `parseDesired, ${entries} entries, to the yaml package's parseDocument`,
      statistic,
      value: ratio("ours", "theirs"),
    };
  });

export const desiredText = (entries: readonly DesiredVm[]): string =>
  [
    "version: 1",
    `environment: ${ENVIRONMENT}`,
    "vms:",
    ...entries.map(({ cpus, memory = 0, name, target, vmid }, at) => {
      const fields = [
        `vmid: ${vmid}`,
        `name: ${name}`,
        `target: ${target}`,
        `cpus: ${cpus}`,
        `memory: ${memory / 2 ** 30} GiB`,
      ];
      return at % 2 === 0 ? `  - { ${fields.join(", ")} }` : `  - ${fields.join("\n    ")}`;
    }),
    "",
  ].join("\n");
