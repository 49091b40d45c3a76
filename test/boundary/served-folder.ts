// dedalus serve in a folder of its own, as `init` makes it.

import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { type ServeProcess, startServe } from "../live/serve-process.ts";
import { initAt } from "../service/serving.ts";

export const PROGRAM = fileURLToPath(new URL("../../bin/dedalus", import.meta.url));

type Wanted = {
  /** Written into the folder before it starts, by name. */
  readonly files?: Readonly<Record<string, string>>;
  readonly listen?: string;
  /** Written behind what `init` writes. */
  readonly more?: string;
};

export const serveAt = async (
  t: TestContext,
  { files = {}, listen = "127.0.0.1:0", more = "" }: Wanted = {},
): Promise<ServeProcess & { readonly folder: string }> => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-serve-"));
  t.after(() => rmSync(folder, { force: true, recursive: true }));
  await initAt(folder);
  appendFileSync(join(folder, "dedalus.yaml"), more);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 });
  const served = await startServe(folder, "--listen", listen);
  t.after(() => served.child.kill("SIGKILL"));
  return { ...served, folder };
};
