// The only reader of the process's surroundings: environment variables, the login name, our own files.
//
// Every command loads it, --help too, so it imports nothing of ours. Not here: secrets (secrets.ts), which are refused
// in words that help has no use for.

import { statSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** See no-color.org: any non-empty value turns colour off. */
export const isColourUnwanted = (): boolean => (process.env["NO_COLOR"] ?? "") !== "" || process.env["TERM"] === "dumb";

/** What the process was started with; a variable that is empty says nothing. */
export const readVariable = (name: string): string | undefined => process.env[name] || undefined;

/** What an operator's shell says instead of options. */
export const readConfigPath = (): string | undefined => readVariable("DEDALUS_CONFIG");
export const readServerUrl = (): string | undefined => readVariable("DEDALUS_SERVER");
export const readEnvironmentName = (): string | undefined => readVariable("DEDALUS_ENV");

/** What belongs to somebody else, or is not there, is not ours. */
export const isOurs = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.();

export const readLoginName = (): string => userInfo().username;

/** Where what this person says to every command is kept. */
export const findClientFolder = (): string =>
  join(readVariable("XDG_CONFIG_HOME") ?? join(homedir(), ".config"), "dedalus");

/** A file of the package itself, by its path below the package's folder. */
export const ownFile = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

export type TokenGiven =
  | { readonly kind: "none" }
  | { readonly kind: "token"; readonly value: string }
  | { readonly kind: "unusable"; readonly cause: "token-empty" | "token-misspelt" };

/**
 * The token that says who acts. One that is set and empty, or that brought a blank or a line feed along, was meant to
 * name somebody: it is not taken for none, and nothing is cut from it.
 */
export const readToken = (): TokenGiven => {
  const value = process.env["DEDALUS_TOKEN"];
  if (value === undefined) return { kind: "none" };
  if (value.trim() === "") return { cause: "token-empty", kind: "unusable" };
  return /^[\x21-\x7e]+$/.test(value) ? { kind: "token", value } : { cause: "token-misspelt", kind: "unusable" };
};
