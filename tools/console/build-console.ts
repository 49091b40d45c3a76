// Builds the console: one frame, one style, scripts in pieces that are loaded when their page is, fonts, and the same
// compressed. What is built for one contract says so to the service that it asks.
//
// Names hold a hash of what is in a file, so that browsers may keep it; the frame is asked for each time. Nothing is
// fetched, and nothing of the machine gets into it: the same sources give the same bytes.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { type BuildOptions, buildSync } from "esbuild";
import { sha256 } from "../../src/spine/values/hash.ts";
import { ROOT } from "../sources.ts";
import { builtInDifferences } from "./built-in.ts";

const frameOf = (script: string, style: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Dedalus</title>
<link rel="icon" href="/console/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/console/${style}">
<script type="module" src="/console/${script}"></script>
</head>
<body>
<div id="console"></div>
<noscript><p>The console needs JavaScript. Approvals work without it: open the address that an approval request names. Everything else can be asked for with the command line.</p></noscript>
</body>
</html>
`;

const WAY = {
  assetNames: "[name]-[hash]",
  bundle: true,
  charset: "utf8",
  chunkNames: "[name]-[hash]",
  entryNames: "[name]-[hash]",
  format: "esm",
  jsx: "automatic",
  legalComments: "linked",
  loader: { ".woff2": "file" },
  metafile: true,
  minify: true,
  platform: "browser",
  publicPath: "/console",
  splitting: true,
  target: ["chrome120", "firefox121", "safari17"],
} satisfies BuildOptions;

const one = (names: readonly string[], pattern: RegExp): string => {
  const found = names.find((name) => pattern.test(name));
  if (found === undefined) throw new Error(`the build made nothing like ${pattern}`);
  return found;
};

const namesIn = (folder: string): string => (existsSync(folder) ? readdirSync(folder).toSorted().join() : "");

/**
 * Names hold what is in a file, and the frame holds names: where they are the same, so is everything, and a service
 * that is starting there is left alone.
 */
const putInPlace = (made: string, folder: string): void => {
  const isSame = namesIn(made) === namesIn(folder);
  rmSync(isSame ? made : folder, { force: true, recursive: true });
  if (!isSame) renameSync(made, folder);
};

/** Into a folder that is made anew, whole or not at all; `root` is the tree that is built. */
export const buildConsole = (root: string, folder: string): void => {
  const made = `${folder}-${process.pid}`;
  rmSync(made, { force: true, recursive: true });
  mkdirSync(made, { recursive: true });
  buildInto(root, made);
  putInPlace(made, folder);
};

const buildInto = (root: string, folder: string): void => {
  const contract = sha256(readFileSync(join(root, "schemas/openapi.json"), "utf8"));
  const inputs: string[] = [];
  const built = (entries: Readonly<Record<string, string>>, define: Readonly<Record<string, string>>) => {
    const { metafile } = buildSync({
      ...WAY,
      absWorkingDir: root,
      define: { ...define, "process.env.NODE_ENV": '"production"' },
      entryPoints: { ...entries },
      outdir: folder,
      tsconfig: join(root, "src/console/tsconfig.json"),
    });
    inputs.push(...Object.keys(metafile.inputs));
    return Object.keys(metafile.outputs).map((path) => path.split("/").at(-1) ?? "");
  };
  // A program of its own, which the pages start by its name.
  const verifier = one(built({ verifier: "src/console/verifier.ts" }, {}), /^verifier-.*\.js$/);
  const names = built(
    { console: "src/console/main.tsx", look: "src/console/look/console.css" },
    { BUILT_FOR: JSON.stringify(contract), VERIFIER_PATH: JSON.stringify(`/console/${verifier}`) },
  );
  const differences = builtInDifferences(inputs);
  if (differences.length > 0) throw new Error(`${differences.join("; ")} (built-in.ts)`);
  writeFileSync(join(folder, "index.html"), frameOf(one(names, /^console-.*\.js$/), one(names, /^look-.*\.css$/)));
  cpSync(join(root, "src/console/look/icon.svg"), join(folder, "icon.svg"));
  for (const name of readdirSync(folder).filter((one) => !one.endsWith(".woff2"))) {
    const bytes = readFileSync(join(folder, name));
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
  }
};

if (import.meta.main) buildConsole(ROOT, join(ROOT, ".cache/console"));
