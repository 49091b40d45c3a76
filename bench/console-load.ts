// The first page of the console over the wire: every byte of the frame, its style, scripts and fonts, as a browser that
// has none of them is sent them, until an empty fleet is seen. What the service would answer is not counted.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { type ConsoleFile, type ConsoleFiles, fileFor } from "../src/boundary/console/console-files.ts";
import { sha256 } from "../src/spine/values/hash.ts";
import { buildConsole } from "../tools/console/build-console.ts";
import { CHROMIUM_ARGUMENTS, findChromium } from "../tools/servers/chromium.ts";
import { ROOT } from "../tools/sources.ts";
import type { Row } from "./row.ts";

const GOAL_KB = 200;

/** As `dedalus serve` has them. */
const builtIn = (folder: string): ConsoleFiles => {
  const names = readdirSync(folder);
  const bytesOf = (name: string): Buffer | undefined =>
    names.includes(name) ? readFileSync(join(folder, name)) : undefined;
  return new Map(
    names
      .filter((name) => !/\.(?:br|gz)$/.test(name))
      .map((name): [string, ConsoleFile] => {
        const [br, gzip] = [bytesOf(`${name}.br`), bytesOf(`${name}.gz`)];
        return [name, { bytes: readFileSync(join(folder, name)), ...(br && { br }), ...(gzip && { gzip }) }];
      }),
  );
};

const ANSWERS: Readonly<Record<string, string>> = {
  "/v1/allowances": '{"allowances":[]}',
  "/v1/fleet": '{"at":"2026-01-01T00:00:00.000Z","fleet":[]}',
};

const serve = (files: ConsoleFiles): Server => {
  const contract = sha256(readFileSync(join(ROOT, "schemas/openapi.json"), "utf8"));
  const session = JSON.stringify({ contract, signedIn: { atMs: 0, csrf: "", name: "bench" } });
  return createServer(({ headers, url = "" }, reply) => {
    const { pathname } = new URL(url, "http://here");
    const answer = pathname === "/console/session" ? session : ANSWERS[pathname];
    if (answer !== undefined) return void reply.writeHead(200, { "content-type": "application/json" }).end(answer);
    // Over TLS, where browsers say that they take it; a page of this machine counts as that.
    const sent = fileFor(files, pathname.replace("/console/", ""), headers["accept-encoding"]?.toString());
    return void reply.writeHead(sent === undefined ? 404 : 200, sent?.headers).end(sent?.body);
  });
};

export const consoleLoadRows = async (): Promise<readonly Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-bench-console-"));
  buildConsole(ROOT, folder);
  const server = serve(builtIn(folder)).listen(0, "127.0.0.1");
  const browser = await chromium.launch({ args: [...CHROMIUM_ARGUMENTS], executablePath: findChromium() });
  try {
    const page = await browser.newPage();
    const session = await page.context().newCDPSession(page);
    await session.send("Network.enable");
    const files = new Map<string, string>();
    const bytes = new Map<string, number>();
    session.on("Network.responseReceived", ({ requestId, response }) => {
      if (!/\/v1\/|\/console\/session/.test(response.url)) files.set(requestId, response.url);
    });
    session.on("Network.loadingFinished", ({ encodedDataLength, requestId }) =>
      bytes.set(requestId, encodedDataLength),
    );
    await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/console/`);
    await page.getByText("No VM is registered.").waitFor();
    await page.evaluate("document.fonts.ready.then(() => undefined)");
    const counted = [...files].map(([id, url]) => ({ kb: (bytes.get(id) ?? 0) / 1_000, url }));
    const fonts = counted.filter(({ url }) => url.endsWith(".woff2"));
    const sum = (list: typeof counted): number => list.reduce((total, { kb }) => total + kb, 0);
    if (fonts.length === 0 || counted.some(({ kb }) => kb === 0)) throw new Error("not every file was counted");
    return [
      {
        goal: GOAL_KB,
        measure: "the first page of the console over the wire, with headers and fonts",
        statistic: `${counted.length} files, of it ${sum(fonts).toFixed(0)} kB in ${fonts.length} fonts`,
        unit: "kB",
        value: sum(counted),
      },
    ];
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
    rmSync(folder, { force: true, recursive: true });
  }
};
