// Verifying in a browser: the rate of a real Chromium's worker to that of our own verification in Node over the same
// lines, and how much slower typing in the page is meanwhile.
//
// The pages of records come from memory, so that what is measured is the browser: how fast a service reads its ledger
// is measured elsewhere. Asking, dividing, hashing and checking are all in it. The two go in turns; a round's ratio is
// of its own two runs.
//
// Keys are typed one after the other, faster than a person does, and never while the one before is on its way; and the
// browser draws when there is something to draw, not sixty times a second. Otherwise most of what is measured is where
// in a sixtieth of a second a key falls, on the idle page too, and what the verification adds is lost in it. The walk
// makes room for typing, so that how much of its rate is left stands beside the row.

import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium, type Page } from "playwright-core";
import { type ConsoleFiles, fileFor } from "../src/boundary/console/console-files.ts";
import { GENESIS, type Sealed } from "../src/ledger/record/record.ts";
import { seal } from "../src/ledger/record/seal.ts";
import { rawPublicKey, signCheckpoint, vkeyOf } from "../src/ledger/tree/checkpoint.ts";
import { verifyLines } from "../src/ledger/verify/verify.ts";
import { sha256 } from "../src/spine/values/hash.ts";
import { buildConsole } from "../tools/console/build-console.ts";
import { CHROMIUM_ARGUMENTS, findChromium } from "../tools/servers/chromium.ts";
import { ROOT } from "../tools/sources.ts";
import { draftOf } from "./bare-ledger.ts";
import { median } from "./race.ts";
import type { Row } from "./row.ts";

const ROUNDS = 5;
const KEYS = 30;
const KEY_EVERY_MS = 40;
/** Frames are drawn when they are asked for. */
const NO_FRAME_CLOCK = ["--disable-frame-rate-limit", "--disable-gpu-vsync"];
const PAGE = 500;
const NAME = "dedalus/bench";

type Told = { readonly head: string; readonly note: string; readonly pages: readonly string[]; readonly vkey: string };

const sealedLines = (records: number): readonly Sealed[] => {
  const sealed: Sealed[] = [];
  for (let seq = 0; seq < records; seq += 1)
    sealed.push(seal(draftOf(seq), { prev: sealed.at(-1)?.hash ?? GENESIS, seq }));
  return sealed;
};

const toldOf = async (sealed: readonly Sealed[]): Promise<Told> => {
  const { privateKey } = generateKeyPairSync("ed25519");
  const lines = sealed.map(({ line }) => line);
  const { head, root } = await verifyLines(lines, { checkpoints: [], mode: "raw" });
  const texts = lines.map((line) => Buffer.from(line).toString("utf8"));
  return {
    head: `"${head.size}-${head.hash}"`,
    note: signCheckpoint({ origin: NAME, root, size: head.size }, privateKey),
    pages: Array.from(
      { length: Math.ceil(texts.length / PAGE) },
      (_, at) => `{"records":[${texts.slice(at * PAGE, (at + 1) * PAGE).join(",")}]}`,
    ),
    vkey: vkeyOf({ name: NAME, publicKey: rawPublicKey(privateKey) }),
  };
};

/** The frame, a session, and what the verifier asks for. */
const serve = (files: ConsoleFiles, { head, note, pages, vkey }: Told): Server =>
  createServer((request, reply) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://here");
    const json = (body: string): void =>
      void reply.writeHead(200, { "content-type": "application/json", etag: head }).end(body);
    if (pathname === "/console/session") {
      const contract = sha256(readFileSync(join(ROOT, "schemas/openapi.json"), "utf8"));
      return json(JSON.stringify({ contract, signedIn: { atMs: 0, csrf: "", name: "bench" } }));
    }
    if (pathname === "/v1/checkpoints")
      return json(
        JSON.stringify({ anchoredCount: 1, firstNote: 0, key: vkey, signedCheckpoints: [{ note, root: "", size: 0 }] }),
      );
    if (pathname === "/v1/records")
      return json(
        searchParams.get("to") === "0" ? '{"records":[]}' : (pages[Number(searchParams.get("from")) / PAGE] ?? ""),
      );
    const sent = fileFor(files, pathname.replace("/console/", ""), undefined);
    return void reply.writeHead(sent === undefined ? 404 : 200, sent?.headers).end(sent?.body);
  });

/** Until the page says so. A locator looks again in every frame, and keeps a browser without a frame clock busy. */
const heard = (page: Page, text: string): Promise<unknown> =>
  page.evaluate(`new Promise((heard) => {
    const isThere = () => document.body.textContent.includes(${JSON.stringify(text)});
    if (isThere()) return heard();
    new MutationObserver((_, self) => {
      if (!isThere()) return;
      self.disconnect();
      heard();
    }).observe(document.body, { characterData: true, childList: true, subtree: true });
  })`);

/** Until the page says that it is proven; `meanwhile` is done once the first pages are verified. */
const verified = async (page: Page, meanwhile?: () => Promise<void>): Promise<number> => {
  await page.reload();
  await page.getByLabel("Public key of the ledger").fill("");
  const from = performance.now();
  await page.getByRole("button", { name: "Verify" }).click();
  if (meanwhile !== undefined) {
    await heard(page, "findings so far");
    await meanwhile();
  }
  await heard(page, "Consistent; origin not proven.");
  return performance.now() - from;
};

/** From each key to the frame in which it is seen. */
const typedMs = async (page: Page): Promise<number> => {
  const field = page.getByLabel("Public key of the ledger");
  await field.focus();
  await page.evaluate(`(() => {
    window.frames_ = [];
    const field = document.activeElement;
    field.addEventListener("input", (event) => {
      requestAnimationFrame(() =>
        setTimeout(() => {
          window.frames_.push(performance.now() - event.timeStamp);
          window.seen_?.();
        }),
      );
    });
  })()`);
  for (let key = 1; key <= KEYS; key += 1) {
    await page.keyboard.press("a");
    await sleep(KEY_EVERY_MS);
    await page.evaluate(`new Promise((seen) => {
      window.seen_ = () => window.frames_.length >= ${key} && seen();
      window.seen_();
    })`);
  }
  const times: number[] = await page.evaluate("window.frames_");
  return median(times);
};

type Meanwhile = { readonly perSecond: number; readonly typed: number };

/** Typing while the ledger is being verified, from the first key to the last, and how fast it goes on meanwhile. */
const typedMeanwhile = async (page: Page): Promise<Meanwhile> => {
  const progress = page.getByRole("progressbar");
  const records = async (): Promise<number> => Number(await progress.getAttribute("value"));
  const [before, from] = [await records(), performance.now()];
  const typed = await typedMs(page);
  // Where it has ended there is none, and keys were typed into an idle page.
  if ((await progress.count()) === 0) throw new Error("the verification ended before the last key");
  return { perSecond: ((await records()) - before) / ((performance.now() - from) / 1_000), typed };
};

export const consoleVerifyRows = async (records: number): Promise<readonly Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-bench-console-"));
  buildConsole(ROOT, folder);
  const files = new Map(readdirSync(folder).map((name) => [name, { bytes: readFileSync(join(folder, name)) }]));
  const sealed = sealedLines(records);
  const server = serve(files, await toldOf(sealed)).listen(0, "127.0.0.1");
  const browser = await chromium.launch({
    args: [...CHROMIUM_ARGUMENTS, ...NO_FRAME_CLOCK],
    executablePath: findChromium(),
  });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(120_000);
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/console/verify`);
    const lines = sealed.map(({ line }) => line);
    const node = async (): Promise<number> => {
      const from = performance.now();
      await verifyLines(lines, { checkpoints: [], mode: "full" });
      return performance.now() - from;
    };
    await verified(page);
    await node();
    const ratios: number[] = [];
    const slower: number[] = [];
    const left: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const [own, there] = [await node(), await verified(page)];
      ratios.push(own / there);
      const idle = await typedMs(page);
      let busy: Meanwhile = { perSecond: 0, typed: 0 };
      await verified(page, async () => {
        busy = await typedMeanwhile(page);
      });
      slower.push(busy.typed / idle);
      left.push(busy.perSecond / (records / (there / 1_000)));
    }
    const count = records.toLocaleString("en");
    const statistic = `median of ${ROUNDS} rounds`;
    return [
      {
        bound: "least",
        goal: 0.2,
        measure: `verify ${count} records in a browser, to Node's rate`,
        statistic,
        value: median(ratios),
      },
      {
        beside: `${median(left).toFixed(2)} × of the rate, while keys are typed`,
        goal: 1.3,
        measure: "a key typed in the page meanwhile, to an idle page",
        statistic,
        value: median(slower),
      },
    ];
  } finally {
    await browser.close();
    server.close();
    rmSync(folder, { force: true, recursive: true });
  }
};
