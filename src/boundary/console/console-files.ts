// The files of the console as they were built: what is sent where, in which encodings, and for how long it is kept.
//
// They are the same for everybody and hold nothing of a ledger, so that nobody has to be known for them. Every address
// of a page gets the same frame, which finds out by itself what it is about. Not here: where they lie
// (cli/files/own-files.ts), how they are built (tools/console/build-console.ts).

import { posix } from "node:path";

export const CONSOLE_PATH = "/console";

/** By its name below the folder; as it is, and compressed where that was done. */
export type ConsoleFile = { readonly br?: Buffer; readonly bytes: Buffer; readonly gzip?: Buffer };
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

export type SentFile = {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
};

const FRAME = "index.html";

/** Every kind of file that the build makes; another is not sent. */
const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
};

/** Its name holds a hash of what is in it. */
const HASHED = /-[A-Z0-9]{8}\.[a-z0-9]+$/;

/** Scripts, styles and fonts of our own, and nothing inline; the only address that is asked is the one it came from. */
const CONSOLE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types verifier",
].join("; ");

const accepts = (header: string | undefined, encoding: "br" | "gzip"): boolean =>
  header?.split(",").some((one) => one.trim().split(";")[0] === encoding && !/;\s*q=0(?:\.0*)?$/.test(one)) ?? false;

const bodyOf = ({ br, bytes, gzip }: ConsoleFile, accepted: string | undefined): readonly [Buffer, string?] => {
  if (br !== undefined && accepts(accepted, "br")) return [br, "br"];
  if (gzip !== undefined && accepts(accepted, "gzip")) return [gzip, "gzip"];
  return [bytes];
};

/** What is sent for a path below the console; undefined where a file of the build is named that there is not. */
export const fileFor = (files: ConsoleFiles, path: string, accepted: string | undefined): SentFile | undefined => {
  const extension = posix.extname(path);
  const name = Object.hasOwn(TYPES, extension) ? path : FRAME;
  const file = files.get(name);
  if (file === undefined) return undefined;
  const [body, encoding] = bodyOf(file, accepted);
  return {
    body,
    headers: {
      "cache-control": HASHED.test(name) ? "public, max-age=31536000, immutable" : "no-cache",
      "content-security-policy": CONSOLE_POLICY,
      "content-type": TYPES[posix.extname(name)] ?? "",
      // A form that signs out names the page that it comes from.
      "referrer-policy": "same-origin",
      vary: "Accept-Encoding",
      ...(encoding === undefined ? {} : { "content-encoding": encoding }),
    },
  };
};
