// The contract lock: the text that the code was built for, whatever its line ends, and no other text.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { CONTRACT_SHA256, contractBroken, contractDigest } from "../../src/spine/rules/contract.ts";
import { cannot } from "../cannot.ts";

const design = (): string => readFileSync(new URL("../../DESIGN.md", import.meta.url), "utf8");
const objectionsTo = (text: string) => [contractBroken(text)].filter((refusal) => refusal !== undefined);

test("DESIGN.md is the text that this code was built for", () => {
  assert.equal(contractBroken(design()), undefined);
});

test("a checkout with CRLF line ends is the same contract", () => {
  const unix = design().replaceAll("\r\n", "\n");
  assert.equal(contractDigest(unix.replaceAll("\n", "\r\n")), contractDigest(unix));
  assert.equal(contractBroken(unix.replaceAll("\n", "\r\n")), undefined);
  assert.equal(contractDigest("a\r\nb\r\n"), contractDigest("a\nb\n"));
});

test("any other character is another contract", () => {
  for (const text of ["a\nb", "a b\n", "a\rb\n", "A\nb\n", "a\n\nb\n", "\ufeffa\nb\n", ""]) {
    assert.notEqual(contractDigest(text), contractDigest("a\nb\n"), JSON.stringify(text));
  }
});

cannot("P7-F1", "serve a contract with one changed letter", {
  neighbour: () => objectionsTo(design()),
  offence: () => objectionsTo(design().replace("never", "Never")),
});

test("a broken contract says which digest was expected and which was found", () => {
  const broken = contractBroken("another text");
  assert.equal(broken?.code, "contract-broken");
  assert.deepEqual(broken?.facts, { expected: CONTRACT_SHA256, found: contractDigest("another text") });
});
