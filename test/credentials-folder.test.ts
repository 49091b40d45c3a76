// A secret that systemd gave to the service is its own, though the bits of its file show a group that has no right to
// it.

import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { readSecret } from "../src/secrets.ts";
import { cannot } from "./cannot.ts";

const home = mkdtempSync(join(tmpdir(), "dedalus-credentials-"));
const before = process.env["CREDENTIALS_DIRECTORY"];
after(() => {
  rmSync(home, { force: true, recursive: true });
  delete process.env["CREDENTIALS_DIRECTORY"];
  if (before !== undefined) process.env["CREDENTIALS_DIRECTORY"] = before;
});

type Credential = { readonly file: number; readonly folder: number; readonly given: boolean };

/** What is refused of a secret with these modes, in a folder that is the service's own or is not. */
const read = ({ file, folder, given }: Credential) => {
  const at = join(home, String(Math.random()));
  mkdirSync(at);
  const path = join(at, "apply");
  writeFileSync(path, "secret");
  chmodSync(path, file);
  chmodSync(at, folder);
  process.env["CREDENTIALS_DIRECTORY"] = given ? at : home;
  const found = readSecret({ file: path }, home);
  return found.kind === "refused" ? [found.refusal] : [];
};
const GIVEN = { file: 0o440, folder: 0o750, given: true };

cannot("B5", "take a file for a secret that a group can read, unless systemd gave it to this very service", {
  neighbour: () => read(GIVEN),
  offence: () => read({ ...GIVEN, given: false }),
});
cannot("B5", "take a credential for a secret in a folder that is open to everybody", {
  neighbour: () => read(GIVEN),
  offence: () => read({ ...GIVEN, folder: 0o755 }),
});
cannot("B5", "take a credential for a secret that everybody can read", {
  neighbour: () => read(GIVEN),
  offence: () => read({ ...GIVEN, file: 0o444 }),
});
cannot("B5", "take a credential for a secret that a group can write", {
  neighbour: () => read(GIVEN),
  offence: () => read({ ...GIVEN, file: 0o460 }),
});
