// Verifies a release: node tools/release/verify-release.ts FOLDER PUBLIC-KEY.pem
//
// One statement is here, of the version that its name says, signed with that key; every file that it names is here with
// the digest that was signed, and no other file is: what lies beside a release is easily taken for a part of it.

import { createPublicKey, type KeyObject } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Subject, sha256Of, signedRelease } from "./statement.ts";

export type Finding = {
  readonly code:
    | "statement-absent"
    | "statement-second"
    | "statement-misnamed"
    | "not-signed"
    | "file-absent"
    | "file-differs"
    | "file-unsigned";
  readonly about: string;
};

const STATEMENT = ".intoto.json";

/** Nothing when all of it holds. */
export const releaseFindings = (folder: string, key: KeyObject): readonly Finding[] => {
  const files = readdirSync(folder).toSorted();
  const [name, ...others] = files.filter((one) => one.endsWith(STATEMENT));
  if (name === undefined) return [{ about: folder, code: "statement-absent" }];
  if (others.length > 0) return others.map((about) => ({ about, code: "statement-second" }));
  const signed = signedRelease(readFileSync(join(folder, name), "utf8"), key);
  if (signed === undefined) return [{ about: name, code: "not-signed" }];
  const { subjects, version } = signed;
  const named = new Set([name, ...subjects.map((subject) => subject.name)]);
  return [
    // The statement of another release under this name would be taken for this one.
    ...(name === `dedalus-${version}${STATEMENT}` ? [] : [{ about: name, code: "statement-misnamed" } as const]),
    ...subjects.flatMap((subject) => fileFindings(folder, subject)),
    ...files.filter((file) => !named.has(file)).map((about) => ({ about, code: "file-unsigned" }) as const),
  ];
};

const fileFindings = (folder: string, { digest, name: file }: Subject): readonly Finding[] => {
  const path = join(folder, file);
  // The commit is a subject without a file.
  if (digest["sha256"] === undefined) return [];
  if (!existsSync(path)) return [{ about: file, code: "file-absent" }];
  return sha256Of(readFileSync(path)) === digest["sha256"] ? [] : [{ about: file, code: "file-differs" }];
};

if (import.meta.main) {
  const [folder = ".", key = ""] = process.argv.slice(2);
  const found = releaseFindings(folder, createPublicKey(readFileSync(key)));
  for (const { about, code } of found) process.stderr.write(`${code}: ${about}\n`);
  if (found.length === 0) process.stdout.write("The release is what was signed.\n");
  process.exitCode = found.length === 0 ? 0 : 1;
}
