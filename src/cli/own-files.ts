// Files of the package itself.

import { existsSync, readFileSync } from "node:fs";
import { ownFile } from "../config.ts";

/** Empty when the file is gone; an empty contract is a broken one. */
export const contractText = (): string => {
  const path = ownFile("DESIGN.md");
  return existsSync(path) ? readFileSync(path, "utf8") : "";
};

export type Package = { readonly version: string; readonly optionalDependencies: Readonly<Record<string, string>> };
export const ownPackage = (): Package => JSON.parse(readFileSync(ownFile("package.json"), "utf8"));
