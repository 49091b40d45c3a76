// Files of the package itself.

import { existsSync, readFileSync } from "node:fs";
import { ownFile } from "../../config.ts";

/** Empty when the file is gone; an empty contract is a broken one. */
export const readContract = (): string => {
  const path = ownFile("DESIGN.md");
  return existsSync(path) ? readFileSync(path, "utf8") : "";
};

/** What is served as the description of the service. */
export const readOpenapi = (): string => readFileSync(ownFile("schemas/openapi.json"), "utf8");

/** The tools of agents, as they are listed. */
export const readMcpTools = (): string => readFileSync(ownFile("schemas/mcp-tools.json"), "utf8");

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
