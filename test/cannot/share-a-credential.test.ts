// One environment's credential never serves another: already the configuration is refused.

import assert from "node:assert/strict";
import { test } from "node:test";
import { parseConfig } from "../../src/formats/dedalus/dedalus-yaml.ts";
import type { Problem } from "../../src/formats/problem.ts";
import { known } from "../../src/wire.ts";
import { cannot } from "../cannot.ts";

const environment = (reference: string): string =>
  `{ adapter: proxmox, url: https://pve.example, tls: { verify: system }, credentials: { observe: ${reference} }, approval: four-eyes, maxObservationAge: 5 min, desired: d.yaml }`;

const naming = (home: string, cloud: string): readonly Problem[] => {
  const text = `version: 1
operator: alice
ledger: { engine: sqlite, path: ledger.db }
anchor: anchor.txt
signingKey: ledger.key
environments:
  home: ${environment(home)}
  cloud: ${environment(cloud)}
`;
  const parsed = parseConfig(text, "dedalus.yaml", known);
  return parsed.kind === "ok" ? [] : parsed.problems;
};

cannot("B3", "let one variable serve two environments", {
  neighbour: () => naming("{ env: HOME }", "{ env: CLOUD }"),
  offence: () => naming("{ env: HOME }", "{ env: HOME }"),
});

cannot("B3", "let one secret file serve two environments", {
  neighbour: () => naming("{ file: key }", "{ env: key }"),
  offence: () => naming("{ file: key }", "{ file: key }"),
});

test("a shared credential is named under its code, at the environment that repeats it", () => {
  const [found] = naming("{ env: HOME }", "{ env: HOME }");
  assert.equal(found?.code, "credential-shared");
  assert.deepEqual(found?.facts, { other: "home" });
  assert.equal(found?.at.line, 8);
});
