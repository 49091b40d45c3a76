// The only reader of the process's surroundings: environment variables, secret files, the login name, our own files.
//
// keeps B5: a secret is read where the configuration says it is, from a file that its owner alone can read, and no
// message holds a part of it.

import { readFileSync, type Stats, statSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { SecretRef } from "./formats/dedalus/dedalus-guards.ts";
import type { Refusal } from "./spine/model.ts";
import { type About, refuse } from "./spine/rules/refusals.ts";

/** See no-color.org: any non-empty value turns colour off. */
export const isColourUnwanted = (): boolean => (process.env["NO_COLOR"] ?? "") !== "" || process.env["TERM"] === "dumb";

/** What an operator's shell says instead of options; a variable that is empty says nothing. */
const said = (name: string): string | undefined => process.env[name] || undefined;
export const readConfigPath = (): string | undefined => said("DEDALUS_CONFIG");
export const readServerUrl = (): string | undefined => said("DEDALUS_SERVER");
export const readEnvironmentName = (): string | undefined => said("DEDALUS_ENV");

/** What belongs to somebody else, or is not there, is not ours. */
export const isOurs = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.();

export const readLoginName = (): string => userInfo().username;

/** Where what this person says to every command is kept. */
export const findClientFolder = (): string => join(said("XDG_CONFIG_HOME") ?? join(homedir(), ".config"), "dedalus");

/** A file of the package itself, by its path below the package's folder. */
export const ownFile = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/**
 * A credential that systemd gave to this very service, in a folder that lets nobody else in. It may be granted by an
 * access list, whose mask shows in the bits of a group that has no right (systemd/systemd, issue 29435).
 */
const isCredential = (path: string): boolean => {
  const folder = process.env["CREDENTIALS_DIRECTORY"];
  if (folder === undefined || dirname(resolve(path)) !== resolve(folder)) return false;
  const found = statusOf(folder);
  return !("code" in found) && (found.mode & 0o007) === 0;
};

/** Others can read it, so that it is no secret. */
const isOpenToOthers = (path: string, { mode }: Stats): boolean => (mode & (isCredential(path) ? 0o037 : 0o077)) !== 0;

/** What the system says of a file; why it says nothing is its own code. */
const statusOf = (path: string): Stats | { readonly code: unknown } => {
  try {
    return statSync(path);
  } catch (error) {
    return { code: (error as NodeJS.ErrnoException).code };
  }
};

export type SecretRead =
  | { readonly kind: "secret"; readonly value: string }
  | { readonly kind: "refused"; readonly refusal: Refusal };

const absent = (about: About<"secret-absent">): SecretRead => ({
  kind: "refused",
  refusal: refuse("secret-absent", about),
});

/** A file's path is read from `home`, the folder of the configuration. */
export const readSecret = (ref: SecretRef, home: string): SecretRead => {
  if ("env" in ref) {
    const value = process.env[ref.env] ?? "";
    return value === "" ? absent({ cause: "variable-unset", facts: { variable: ref.env } }) : { kind: "secret", value };
  }
  const path = isAbsolute(ref.file) ? ref.file : join(home, ref.file);
  const facts = { file: ref.file };
  const found = statusOf(path);
  if ("code" in found) return absent({ cause: found.code === "ENOENT" ? "no-file" : "unreadable", facts });
  if (!found.isFile()) return absent({ cause: "no-file", facts });
  if (isOpenToOthers(path, found))
    return { kind: "refused", refusal: refuse("secret-open", { facts: { file: resolve(path) } }) };
  const value = readFile(path);
  if (value === undefined) return absent({ cause: "unreadable", facts });
  return value === "" ? absent({ cause: "empty", facts }) : { kind: "secret", value };
};

/** Undefined when the system does not give it. */
const readFile = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return undefined;
  }
};

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
