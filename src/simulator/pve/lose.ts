// An answer that does not come, or comes as something that no client should believe.

import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { Loss } from "../world/faults.ts";

const PAGE = "<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1></body></html>\n";
const HALF = '{"data":{"status":"runn';
const HUGE_BYTES = 128 * 2 ** 20;
const CHUNK = Buffer.alloc(2 ** 20, " ");

const JSON_TYPE = { "Content-Type": "application/json;charset=UTF-8" };

const blanks = function* (): Generator<Buffer> {
  for (let sent = 0; sent < HUGE_BYTES; sent += CHUNK.length) yield CHUNK;
};

/** Blanks before a value are still JSON, so only a client that counts bytes stops reading. */
const huge = (response: ServerResponse): Promise<void> =>
  pipeline(blanks, response.writeHead(200, "OK", { ...JSON_TYPE, "Content-Length": HUGE_BYTES }));

const LOSE: Readonly<Record<Loss, (response: ServerResponse) => Promise<void> | void>> = {
  cut: (response) => void response.writeHead(200, "OK", JSON_TYPE).end(HALF),
  html: (response) => void response.writeHead(200, "OK", { "Content-Type": "text/html" }).end(PAGE),
  huge,
  reset: (response) => void response.socket?.destroy(),
  silence: () => undefined,
};

export const lose = async (response: ServerResponse, how: Loss): Promise<void> => LOSE[how](response);
