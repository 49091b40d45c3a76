// Verifies a release: node tools/release/verify-release.ts FOLDER PUBLIC-KEY.pem
//
// The statement is signed with that key, and every file that it names is here with the digest that was signed.

import { createPublicKey, type KeyObject } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Envelope, sha256Of, signedSubjects } from "./statement.ts";

export type Finding = {
  readonly code: "statement-absent" | "not-signed" | "file-absent" | "file-differs";
  readonly about: string;
};

/** Nothing when all of it holds. */
export const releaseFindings = (folder: string, key: KeyObject): readonly Finding[] => {
  const name = readdirSync(folder).find((one) => one.endsWith(".intoto.json"));
  if (name === undefined) return [{ about: folder, code: "statement-absent" }];
  const envelope: Envelope = JSON.parse(readFileSync(join(folder, name), "utf8"));
  const subjects = signedSubjects(envelope, key);
  if (subjects === undefined) return [{ about: name, code: "not-signed" }];
  return subjects.flatMap(({ digest, name: file }): readonly Finding[] => {
    const path = join(folder, file);
    // The commit is a subject without a file.
    if (digest["sha256"] === undefined) return [];
    if (!existsSync(path)) return [{ about: file, code: "file-absent" }];
    return sha256Of(readFileSync(path)) === digest["sha256"] ? [] : [{ about: file, code: "file-differs" }];
  });
};

if (import.meta.main) {
  const [folder = ".", key = ""] = process.argv.slice(2);
  const found = releaseFindings(folder, createPublicKey(readFileSync(key)));
  for (const { about, code } of found) process.stderr.write(`${code}: ${about}\n`);
  if (found.length === 0) process.stdout.write("The release is what was signed.\n");
  process.exitCode = found.length === 0 ? 0 : 1;
}
