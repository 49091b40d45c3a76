// Locks the code to the present text of DESIGN.md: writes its digest into src/spine/rules/contract.ts.
//
// Run it only when the contract was meant to change; CONTRIBUTING.md has the recipe.

import { readFileSync, writeFileSync } from "node:fs";
import { contractDigest } from "../src/spine/rules/contract.ts";

const lock = new URL("../src/spine/rules/contract.ts", import.meta.url);
const digest = contractDigest(readFileSync(new URL("../DESIGN.md", import.meta.url), "utf8"));
const before = readFileSync(lock, "utf8");
const after = before.replace(/"[0-9a-f]{64}" as Sha256/, `"${digest}" as Sha256`);
writeFileSync(lock, after);
process.stdout.write(`${before === after ? "unchanged" : "locked"}: ${digest}\n`);
