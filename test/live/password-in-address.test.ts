// A password in an address is never shown, recorded or used from a command line: whichever command, whichever argument,
// as text and as JSON. keeps B5

import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { secretAddressRefusal } from "../../src/cli/arguments/secret-address.ts";
import { COMMANDS } from "../../src/cli/catalogue/catalogue.ts";
import { atCluster } from "./cluster.ts";

const PASSWORD = "hunter2x";
const ADDRESSES = [
  `https://root:${PASSWORD}@127.0.0.1:1`,
  `postgres://root:${PASSWORD}@127.0.0.1:1/ledger`,
  `postgres://127.0.0.1:1/ledger?user=root&password=${PASSWORD}`,
] as const;
const MANNERS = [[], ["--json"], ["--verbose"]] as const;

type Answer = { readonly code: number; readonly err: string; readonly out: string };
const holdsNone = ({ err, out }: Answer, words: readonly string[]): void =>
  assert.ok(!`${out}${err}`.includes(PASSWORD), words.join(" "));

const namesBelow = (folder: string): readonly string[] => readdirSync(folder, { recursive: true }) as string[];

test("every argument of every command refuses an address with a password, and shows none of it", async () => {
  await atCluster(async ({ dedalus, folder, simulator }) => {
    const before = [namesBelow(folder), simulator.requests().length];
    const [address] = ADDRESSES;
    for (const { name, options } of COMMANDS) {
      const lines = [
        [address],
        [`--mistyped=${address}`],
        ...options.flatMap(({ name: option, value }) =>
          value === undefined ? [] : [[`--${option}`, address], [`--${option}=${address}`]],
        ),
      ];
      for (const line of lines) {
        const words = [...name.split(" "), ...line];
        const answer = await dedalus(...words, "--json");
        holdsNone(answer, words);
        const [refusal] = JSON.parse(answer.out).error.refusals;
        assert.deepEqual([answer.code, refusal.code, refusal.cause], [2, "secret-inline", "argument"], words.join(" "));
      }
    }
    assert.deepEqual([namesBelow(folder), simulator.requests().length], before, "nothing was made, nobody was asked");
  });
});

test("what takes an address shows no password, as text and as JSON, however it is written", async () => {
  await atCluster(async ({ dedalus, folder }) => {
    const written = [
      ...ADDRESSES,
      ` https://root:${PASSWORD}@127.0.0.1:1`,
      `HTTPS://root:${PASSWORD}@127.0.0.1:1`,
      `https:/root:${PASSWORD}@127.0.0.1:1`,
      `https://root:a/${PASSWORD}@127.0.0.1:1`,
      `https://:${PASSWORD}@127.0.0.1:1`,
    ];
    // Without a scheme it is no address: --from does not show it either, and a path of a ledger is what it says.
    const unlike = [
      `root:${PASSWORD}@127.0.0.1`,
      `https://${PASSWORD}@127.0.0.1:1`,
      `https://127.0.0.1:1/?${PASSWORD}`,
    ];
    for (const manner of MANNERS) {
      for (const words of [
        ...[...written, ...unlike].map((one) => ["init", "zz", "--from", one]),
        ...written.map((one) => ["ledger", "move", "--yes", "--to", one]),
        ...[...written, ...unlike].map((one) => ["ledger", "move", "--yes", "--to-env", one]),
        ["init", "zz", "--from", "https://127.0.0.1:1", "--observe-env", `root@pam!a=${PASSWORD}`],
        ...written.map((one) => [one]),
        ...written.map((one) => ["help", one]),
      ]) {
        const answer = await dedalus(...words, ...manner);
        holdsNone(answer, words);
        assert.equal(answer.code, 2, words.join(" "));
      }
      // Where a secret belongs it is used, and what fails then does not show it.
      for (const [at, address] of ADDRESSES.entries()) {
        process.env["DEDALUS_TEST_TARGET"] = address;
        writeFileSync(join(folder, `target-${at}`), address, { mode: 0o600 });
        for (const place of [
          ["--to-env", "DEDALUS_TEST_TARGET"],
          ["--to-file", `target-${at}`],
        ]) {
          const words = ["ledger", "move", "--yes", ...place];
          const answer = await dedalus(...words, ...manner);
          holdsNone(answer, words);
          assert.notEqual(answer.code, 0);
        }
      }
    }
    delete process.env["DEDALUS_TEST_TARGET"];
    const config = readFileSync(join(folder, "dedalus.yaml"), "utf8");
    writeFileSync(join(folder, "dedalus.yaml"), config.replace(/url: .*/, `url: ${ADDRESSES[0]}`));
    for (const manner of MANNERS) holdsNone(await dedalus("doctor", ...manner), ["doctor"]);
    for (const manner of MANNERS) holdsNone(await dedalus("observe", "--env", "home", ...manner), ["observe"]);
  });
});

test("an address without a password is none, and neither is a port or the @ of a path", () => {
  for (const word of [
    "https://pve1:8006",
    "https://pve1:8006/a@b",
    "https://pve1/a:b",
    "postgres://ledger@db.example/ledger",
    "see https://wiki.example/change@42: nightly stop",
    "alice@example",
    "root@pam!observe",
    "a:b@c",
    "--to=archive.db",
  ])
    assert.equal(secretAddressRefusal(["init", word]), undefined, word);
});
