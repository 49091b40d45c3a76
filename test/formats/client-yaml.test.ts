// client.yaml: parser and published schema take the same, and nothing that would leave a connection unverified.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parseClientConfig } from "../../src/formats/client/client-yaml.ts";
import { serverAddressIn } from "../../src/formats/client/server-address.ts";
import { cannot } from "../cannot.ts";

const schema = JSON.parse(readFileSync(new URL("../../schemas/client.schema.json", import.meta.url), "utf8"));
const isTaken = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false }).compile(schema);
const parsed = (value: unknown) => parseClientConfig(JSON.stringify(value), "client.yaml");

const SERVER = "https://dedalus.example:7400";
const SHA256 = Array.from({ length: 32 }, () => "AB").join(":");
const of = (more: object) => ({ server: SERVER, version: 1, ...more });

const TAKEN: readonly object[] = [
  of({}),
  of({ server: "http://127.0.0.1:7400" }),
  of({ server: "http://[::1]" }),
  of({ server: "http://localhost:80" }),
  of({ tls: { verify: "system" } }),
  of({ tls: { file: "ca.pem", verify: "ca" } }),
  of({ tls: { sha256: SHA256, verify: "pinned" } }),
];
const REFUSED: readonly object[] = [
  { server: SERVER },
  { version: 1 },
  of({ version: 2 }),
  of({ server: 7 }),
  of({ server: "dedalus.example" }),
  of({ server: "https://dedalus.example/v1" }),
  of({ server: "https://dedalus.example?a=b" }),
  of({ server: "https://me:secret@dedalus.example" }),
  of({ server: "http://dedalus.example" }),
  of({ server: "http://127.0.0.1.example" }),
  of({ token: "dedalus_x" }),
  of({ tls: { verify: "none" } }),
  of({ tls: false }),
  of({ tls: { verify: "ca" } }),
  of({ tls: { sha256: "AB", verify: "pinned" } }),
  of({ tls: { file: "ca.pem", verify: "system" } }),
  of({ insecure: true }),
];

test("parser and schema take the same values", () => {
  for (const value of TAKEN)
    assert.deepEqual([parsed(value).kind, isTaken(value)], ["ok", true], JSON.stringify(value));
  for (const value of REFUSED)
    assert.deepEqual([parsed(value).kind, isTaken(value)], ["bad", false], JSON.stringify(value));
});

test("without tls the authorities of this machine are asked", () => {
  const read = parsed(of({}));
  assert.deepEqual(read.kind === "ok" && read.value.tls, { verify: "system" });
});

const problemsOf = (value: object) => {
  const read = parsed(value);
  return read.kind === "bad" ? read.problems : [];
};
cannot("B4", "ask a service on another machine without TLS", {
  neighbour: () => problemsOf(of({ server: "http://127.0.0.1:7400" })),
  offence: () => problemsOf(of({ server: "http://dedalus.example:7400" })),
});
cannot("B4", "turn the verification of a service off", {
  neighbour: () => problemsOf(of({ tls: { verify: "system" } })),
  offence: () => problemsOf(of({ tls: { verify: false } })),
});
cannot("B5", "write a token into the client configuration", {
  neighbour: () => problemsOf(of({})),
  offence: () => problemsOf(of({ token: "dedalus_0123456789_x" })),
});

test("an address as a person writes it is an origin, and nothing more", () => {
  const address = serverAddressIn("HTTPS://Dedalus.Example/");
  assert.deepEqual(address, {
    authority: "dedalus.example",
    host: "dedalus.example",
    isTls: true,
    origin: "https://dedalus.example",
    port: 443,
  });
  assert.deepEqual(
    ["http://10.0.0.1:7400", "https://a/b", "https://u:p@a", "ftp://a", "", "http://u:p@127.0.0.1"].map(
      serverAddressIn,
    ),
    ["plain", "form", "form", "form", "form", "form"],
  );
});
