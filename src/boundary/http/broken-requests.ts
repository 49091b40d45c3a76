// What never became a request: broken, too large in its head, or not complete in time. It is answered on the bare
// connection, which is closed then; the parser of the platform is strict, and what it refuses nobody reads on.

import type { Socket } from "node:net";
import { PROBLEM_TYPE, problemJson } from "../contract/problem-json.ts";
import type { DoorGiven } from "./door-given.ts";
import { unfitRequest } from "./door-refusal.ts";
import { SECURITY_HEADERS } from "./security-headers.ts";

export const HEAD_BYTES_MAX = 16 * 1024;

const REASONS: Readonly<Record<number, string>> = {
  400: "Bad Request",
  408: "Request Timeout",
  431: "Request Header Fields Too Large",
};

const refusalOf = (code: string) => {
  if (code === "HPE_HEADER_OVERFLOW") return unfitRequest({ cause: "head-too-large", facts: { max: HEAD_BYTES_MAX } });
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return unfitRequest({ cause: "too-slow" });
  return unfitRequest({ cause: "malformed", facts: { said: /^[A-Z_]{1,60}$/.test(code) ? code : "UNKNOWN" } });
};

export const answerBrokenRequest =
  ({ newId, telemetry }: Pick<DoorGiven, "newId" | "telemetry">) =>
  ({ code = "" }: { readonly code?: string }, socket: Socket): void => {
    if (code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const answer = refusalOf(code);
    telemetry.happened({ cause: answer.refusals[0]?.cause ?? "", kind: "turned-away" });
    const problem = problemJson(answer, newId());
    const body = JSON.stringify(problem);
    const headers = {
      ...SECURITY_HEADERS,
      connection: "close",
      "content-length": String(Buffer.byteLength(body)),
      "content-type": PROBLEM_TYPE,
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${problem.status} ${REASONS[problem.status] ?? ""}\r\n${lines.join("")}\r\n${body}`);
  };
