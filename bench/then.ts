// The state after any record of a long ledger, by the milestones along it, to replaying 50,000 of its records.
//
// The ledger is of the kernel's mix with a command every second, day and night, so that the state holds what two such
// days leave; with all of them in one day it would be as large as the ledger, and reading it would be all that is
// measured. Asked for are the records for which most is replayed, right before a milestone, at the beginning, in the
// middle and at the end, and the last one; what counts is the slowest of them. Both are asked of a service of their
// own, as a command does, and opening the ledger is in both.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseConfig } from "../src/formats/dedalus/dedalus-yaml.ts";
import { openSqlite } from "../src/ledger/engines/sqlite/sqlite.ts";
import { MILESTONE_RECORDS, milestonesAt } from "../src/ledger/write/milestones.ts";
import { milestonesOf } from "../src/service/apart/make-milestones.ts";
import { readSigner } from "../src/service/hold/open-ledger.ts";
import { openService } from "../src/service/local-service.ts";
import type { Configuration, Ports } from "../src/service/ports.ts";
import { known, servicePorts } from "../src/wire.ts";
import { withFolderAsync } from "./folder.ts";
import { mix } from "./kernel-mix.ts";
import { median } from "./race.ts";
import type { Row } from "./row.ts";
import { makeInstallation } from "./serve-start.ts";

const REPLAYED = 50_000;
const GOAL = 1.5;
const MS_A_COMMAND = 1_000;
const OPERATOR = { credential: { kind: "operator" }, door: "local" } as const;

const configurationIn = (home: string): Configuration => {
  const parsed = parseConfig(readFileSync(join(home, "dedalus.yaml"), "utf8"), "dedalus.yaml", known);
  if (parsed.kind === "bad") throw new Error(JSON.stringify(parsed.problems));
  return { config: parsed.value, file: "dedalus.yaml", home, policies: new Map() };
};

const portsOf = (configuration: Configuration): Ports => ({
  ...servicePorts(),
  configured: () => ({ kind: "ok", value: configuration }),
  hears: {
    note: (note) => {
      throw new Error(JSON.stringify(note));
    },
    recovered: () => undefined,
  },
  version: "0.0.0",
});

/** As `serve` makes them in its thread; in seconds. */
const makeMilestones = async (configuration: Configuration, ports: Ports): Promise<number> => {
  const { home } = configuration;
  const signer = readSigner(configuration);
  if ("code" in signer) throw new Error(signer.code);
  const opened = await openSqlite(join(home, "ledger/dedalus.db"), { mode: "read" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  const { engine } = opened;
  const savedState = ports.ledger.savedState(configuration.config.ledger, home);
  const fromMs = performance.now();
  await milestonesOf({ engine, note: ports.hears.note, savedState, signer }).make();
  const seconds = (performance.now() - fromMs) / 1_000;
  await engine.close();
  return seconds;
};

/** The way of one command: opened, asked, closed. */
const asked = async (
  configuration: Configuration,
  ports: Ports,
  ask: (service: ReturnType<typeof openService>) => Promise<{ readonly kind: "ok" | "refused" }>,
): Promise<number> => {
  const fromMs = performance.now();
  const service = openService(configuration, ports, "one-request");
  const { kind } = await ask(service);
  if (kind !== "ok") throw new Error("it is answered");
  await service.close();
  return performance.now() - fromMs;
};

export const thenRow = (records: number, rounds: number): Promise<Row> =>
  withFolderAsync(async (folder) => {
    await makeInstallation(folder, records, mix(MS_A_COMMAND));
    const configuration = configurationIn(folder);
    const ports = portsOf(configuration);
    const seconds = await makeMilestones(configuration, ports);
    const savedState = ports.ledger.savedState(configuration.config.ledger, folder);
    const kept = milestonesAt(savedState);
    const bytes = kept.reduce((sum, size) => sum + readFileSync(`${savedState}.after-${size}`).length, 0);
    const half = Math.floor(records / 2 / MILESTONE_RECORDS) * MILESTONE_RECORDS;
    // Of a size that is one less than a milestone's.
    const places = [...[MILESTONE_RECORDS, half, kept.at(-1) ?? records].map((size) => size - 2), records - 1];
    const replayed = () => asked(configuration, ports, (service) => service.replay(OPERATOR, { to: REPLAYED - 1 }));
    await replayed();
    const ratios: number[][] = places.map(() => []);
    for (let round = 0; round < rounds; round += 1) {
      const ms = await replayed();
      for (const [at, seq] of places.entries())
        ratios[at]?.push(
          (await asked(configuration, ports, (service) => service.stateAfter(OPERATOR, { at: seq }))) / ms,
        );
    }
    const medians = ratios.map(median);
    return {
      beside: `${kept.length} milestones of ${(bytes / 1e6).toFixed(0)} MB, made in ${seconds.toFixed(0)} s`,
      goal: GOAL,
      measure: `the state after any of ${records.toLocaleString("en")} records, to replaying ${REPLAYED.toLocaleString("en")}`,
      statistic: `wall time, median of ${rounds} rounds, the slowest of records ${places.join(", ")} (${medians.map((one) => one.toFixed(2)).join(", ")})`,
      value: Math.max(...medians),
    };
  });
