// Reads the secrets that a configuration names: from a variable, or from a file.
//
// keeps B5: a secret is read where the configuration says it is, from a file that its owner alone can read, and no
// message holds a part of it. Not here: what keeps a value from being shown (adapters/secret.ts).

import { readFileSync, type Stats, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { readVariable } from "./config.ts";
import type { SecretRef } from "./formats/dedalus/dedalus-guards.ts";
import type { Refusal } from "./spine/model.ts";
import { type About, refuse } from "./spine/rules/refusals.ts";

/**
 * A credential that systemd gave to this very service, in a folder that lets nobody else in. It may be granted by an
 * access list, whose mask shows in the bits of a group that has no right (systemd/systemd, issue 29435).
 */
const isCredential = (path: string): boolean => {
  const folder = readVariable("CREDENTIALS_DIRECTORY");
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
    const value = readVariable(ref.env);
    return value === undefined
      ? absent({ cause: "variable-unset", facts: { variable: ref.env } })
      : { kind: "secret", value };
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
