// Joins: the only file that names concrete adapters and engines. keeps P7-S2
//
// Engines are loaded when a ledger is opened, so that a command without one starts as fast as ever.

import { existsSync, mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { replaySource } from "./adapters/replay/replay.ts";
import type { Source } from "./adapters/source.ts";
import { readSecret } from "./config.ts";
import { parseCurrent } from "./formats/current-json.ts";
import type { SecretRef } from "./formats/dedalus-guards.ts";
import type { Config, LedgerConfig } from "./formats/dedalus-yaml.ts";
import type { Parsed } from "./formats/problem.ts";
import type { Opened } from "./ledger/engine.ts";
import type { Expected, LedgerOpened } from "./ledger/open.ts";
import type { Refusal } from "./spine/model.ts";
import { refuse } from "./spine/refusals.ts";

/** A source that gives a recorded look again. */
export const replayOf = (text: string, file: string, options: Parameters<typeof parseCurrent>[2]): Parsed<Source> => {
  const parsed = parseCurrent(text, file, options);
  return parsed.kind === "ok" ? { kind: "ok", value: replaySource(parsed.value) } : parsed;
};

/** Where a ledger is, with every secret looked up; never to be shown. */
export type LedgerPlace =
  | { readonly engine: "sqlite"; readonly path: string }
  | { readonly engine: "postgres"; readonly url: string };

export const ledgerPlace = (config: LedgerConfig, home: string): LedgerPlace | Refusal => {
  switch (config.engine) {
    case "sqlite":
      return { engine: "sqlite", path: resolve(home, config.path) };
    case "postgres":
      return secretPlace(config.url, home);
    case "jetstream":
      return refuse("engine-unavailable", { because: "the engine jetstream is not part of this version" });
  }
};

/** A PostgreSQL server whose url is a secret. */
export const secretPlace = (place: SecretRef, home: string): LedgerPlace | Refusal => {
  const read = readSecret(place, home);
  switch (read.kind) {
    case "secret":
      return { engine: "postgres", url: read.value };
    case "absent":
      return refuse("secret-absent", { because: read.because });
    case "open": {
      const { file } = read;
      return refuse("secret-open", {
        because: `${file} can be read by others than its owner`,
        next: `Run: chmod 600 ${file}`,
      });
    }
  }
};

/** Opening for writing makes a ledger where there is none, and the folder of its file too. */
export const openEngine = async (place: LedgerPlace, mode: "read" | "write"): Promise<Opened> => {
  if (place.engine === "postgres")
    return (await import("./ledger/engines/postgres.ts")).openPostgres(place.url, { mode });
  try {
    if (mode === "write") mkdirSync(dirname(place.path), { mode: 0o700, recursive: true });
  } catch (error) {
    return { because: `the folder of ${place.path} cannot be made: ${String(error)}`, kind: "refused" };
  }
  return (await import("./ledger/engines/sqlite.ts")).openSqlite(place.path, { mode });
};

/** Only the first record of a ledger makes it; whoever continues one must find it. */
const found = async (place: LedgerPlace): Promise<Opened> => {
  const opened = await openEngine(place, "read");
  if (opened.kind === "refused") return opened;
  await opened.engine.close();
  return openEngine(place, "write");
};

/** The configured ledger, checked against its anchor. */
export const openLedger = async (
  config: Config,
  home: string,
  expected: Omit<Expected, "anchor">,
): Promise<LedgerOpened> => {
  const place = ledgerPlace(config.ledger, home);
  if ("kind" in place) return { kind: "refused", refusal: place };
  const anchor = resolve(home, config.anchor);
  const { openChecked } = await import("./ledger/open.ts");
  const isFirst = expected.mode === "write" && !existsSync(anchor);
  const open =
    expected.mode === "read" ? openEngine(place, "read") : isFirst ? openEngine(place, "write") : found(place);
  return openChecked(await open, { ...expected, anchor });
};
