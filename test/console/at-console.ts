// The console of a real service in real browsers: built once for a run of tests, served as `dedalus serve` does.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import type { ConsoleFiles } from "../../src/boundary/console/console-files.ts";
import { buildConsole } from "../../tools/console/build-console.ts";
import { ROOT } from "../../tools/sources.ts";
import { type AtApproval, atApproval } from "../boundary/approval/at-approval.ts";
import type { Ending } from "../service/serving.ts";

export type BuiltConsole = { readonly files: ConsoleFiles; readonly openapi: string };

let built: BuiltConsole | undefined;

/** Once for all files of tests that run in one process. */
export const builtConsole = (): BuiltConsole => {
  built ??= buildOnce();
  return built;
};

const buildOnce = (): BuiltConsole => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-console-"));
  try {
    buildConsole(ROOT, folder);
    const files = new Map(
      readdirSync(folder)
        .filter((name) => !/\.(?:br|gz)$/.test(name))
        .map((name) => [name, { bytes: readFileSync(join(folder, name)) }]),
    );
    return { files, openapi: readFileSync(join(ROOT, "schemas/openapi.json"), "utf8") };
  } finally {
    rmSync(folder, { force: true, recursive: true });
  }
};

/** A four-eyes environment `home` with one VM, people who are invited and sign in with a passkey, and an agent. */
export const atConsole = (t: Ending, browser: Browser, console: BuiltConsole): Promise<AtApproval> =>
  atApproval(t, browser, console);
