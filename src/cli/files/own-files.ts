// Files of the package itself.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ownFile } from "../../config.ts";
import { present } from "../../spine/values/present.ts";

/** Empty when the file is gone; an empty contract is a broken one. */
export const readContract = (): string => {
  const path = ownFile("DESIGN.md");
  return existsSync(path) ? readFileSync(path, "utf8") : "";
};

/** What is served as the description of the service. */
export const readOpenapi = (): string => readFileSync(ownFile("schemas/openapi.json"), "utf8");

/** The tools of agents, as they are listed. */
export const readMcpTools = (): string => readFileSync(ownFile("schemas/mcp-tools.json"), "utf8");

export type OwnFile = { readonly br?: Buffer; readonly bytes: Buffer; readonly gzip?: Buffer };

/** In a package, and in a checkout where it was built. */
const CONSOLES = ["console", ".cache/console"];

/** The pages of the console, as they were built; undefined where they were not. */
export const readConsole = (): ReadonlyMap<string, OwnFile> | undefined => {
  const folder = CONSOLES.map(ownFile).find((path) => existsSync(join(path, "index.html")));
  if (folder === undefined) return undefined;
  const names = readdirSync(folder);
  const read = (name: string): Buffer | undefined =>
    names.includes(name) ? readFileSync(join(folder, name)) : undefined;
  return new Map(
    names
      .filter((name) => !/\.(?:br|gz)$/.test(name))
      .map((name) => [
        name,
        { bytes: readFileSync(join(folder, name)), ...present({ br: read(`${name}.br`), gzip: read(`${name}.gz`) }) },
      ]),
  );
};

export type Package = { readonly version: string };
export const readOwnPackage = (): Package => JSON.parse(readFileSync(ownFile("package.json"), "utf8"));

type Toolchain = { readonly optionalDependencies: Readonly<Record<string, string>> };

/**
 * The Node versions that a checkout pins, one for each platform; an installed package runs on the Node that is there.
 */
export const readPinnedNodes = (): readonly string[] => {
  const path = ownFile("tools/toolchain/package.json");
  if (!existsSync(path)) return [];
  const { optionalDependencies }: Toolchain = JSON.parse(readFileSync(path, "utf8"));
  const platforms = Object.entries(optionalDependencies).filter(([name]) => name.startsWith("node-"));
  return [...new Set(platforms.map(([, version]) => version))];
};
