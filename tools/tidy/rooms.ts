// The picture of ARCHITECTURE.md as a table: which room may import which, and what each takes from the platform and
// from packages. Any other arrow is a finding: under N5 when it starts in the spine, under P7-S2 otherwise.

import { type Finding, findingAt, type Source } from "./finding.ts";
import { importsOf, resolved } from "./imports.ts";

type Row = {
  readonly from: readonly string[];
  /** Modules of Node itself. */
  readonly platform: "any" | readonly string[];
  readonly packages: "any" | readonly string[];
};

const row = (from: readonly string[], platform: Row["platform"] = "any", packages: Row["packages"] = []): Row => ({
  from,
  packages,
  platform,
});

/**
 * A room may always import itself. `adapters/*` is each adapter's own folder and `ledger/engines/*` each engine's, so
 * that none imports another; only wire.ts lists them. What engines share stands beside their folders.
 */
const ROOMS: Readonly<Record<string, Row>> = {
  spine: row([], ["node:crypto"]),
  ledger: row(["spine"]),
  "ledger/engines": row(["spine", "ledger", "formats"], []),
  "ledger/engines/*": row(["spine", "ledger", "formats", "ledger/engines"], "any", ["pg"]),
  formats: row(["spine"], ["node:module"], ["yaml"]),
  dial: row(["spine", "formats"], ["node:net", "node:tls"]),
  "adapters/ports": row(["spine", "ledger", "formats", "dial"], ["node:crypto"]),
  "adapters/*": row(["spine", "formats", "dial", "adapters/ports"]),
  kernel: row(["spine", "ledger", "adapters/ports"], []),
  service: row(["spine", "ledger", "formats", "kernel", "adapters/ports"], ["node:path"]),
  boundary: row(
    [
      "spine",
      "ledger",
      "formats",
      "dial",
      "kernel",
      "adapters/ports",
      "service",
      "service/remote",
      "boundary/contract",
    ],
    "any",
    [
      "@modelcontextprotocol/server",
      "@opentelemetry/api",
      "fastify",
      "openid-client",
      "prom-client",
      "typebox",
      "typebox/compile",
      "typebox/error",
      "typebox/system",
    ],
  ),
  "service/remote": row(["spine", "ledger", "formats", "kernel", "service", "boundary/contract"], []),
  "boundary/contract": row(["spine", "ledger", "kernel", "service"], [], ["typebox"]),
  console: row(
    ["boundary/contract"],
    [],
    ["@noble/hashes/sha2.js", "@tanstack/react-virtual", "react", "react-dom/client"],
  ),
  "boundary/checking": row(["spine", "ledger", "service/remote", "boundary/contract"], []),
  cli: row([
    "spine",
    "ledger",
    "formats",
    "kernel",
    "service",
    "boundary/checking",
    "boundary/contract",
    "adapters/ports",
    "config.ts",
    "secrets.ts",
    "clock.ts",
    "ids.ts",
    "wire.ts",
  ]),
  simulator: row(["spine", "formats", "adapters/ports"]),
  "config.ts": row([]),
  "secrets.ts": row(["spine", "formats", "config.ts"]),
  "clock.ts": row(["spine"]),
  "ids.ts": row(["spine", "ledger", "clock.ts"]),
  "wire.ts": row([
    "spine",
    "ledger",
    "ledger/engines",
    "ledger/engines/*",
    "formats",
    "adapters/ports",
    "adapters/*",
    "kernel",
    "service",
    "service/remote",
    "boundary",
    "boundary/contract",
    "simulator",
    "config.ts",
    "secrets.ts",
    "clock.ts",
    "ids.ts",
    "start-thread.ts",
  ]),
  "start-thread.ts": row(["service"], ["node:path", "node:worker_threads"]),
  "thread.ts": row(["service", "wire.ts"], ["node:worker_threads"]),
  "main.ts": row(["cli"]),
  "start.ts": row(["main.ts"], ["node:fs", "node:module"]),
};

type Folders = Readonly<Record<string, readonly string[]>>;

/**
 * Rooms of many files are folders, and their arrows have one direction too; a file beside the folders is shared by
 * them, or joins them. The one that matters most: `evolve` trusts the record, and knows nothing of how it was decided.
 */
const FOLDERS: Readonly<Record<string, Folders>> = {
  "adapters/proxmox": {
    act: ["api", "observe"],
    api: [],
    examine: ["api", "observe"],
    list: ["api", "observe"],
    observe: ["api"],
  },
  boundary: {
    approval: ["http", "identity", "pages"],
    console: ["approval", "http", "identity"],
    http: ["telemetry"],
    identity: ["http", "pages"],
    mcp: ["http"],
    pages: [],
    telemetry: [],
    webhooks: ["telemetry"],
  },
  cli: {
    arguments: ["files"],
    asking: ["arguments", "files", "process"],
    catalogue: ["commands"],
    commands: ["arguments", "asking", "catalogue", "files", "process", "views"],
    files: ["process"],
    process: ["views"],
    views: [],
  },
  console: {
    ask: [],
    decide: ["ask", "parts", "plans"],
    fleet: ["ask", "parts", "plans"],
    incident: ["ask", "ledger", "parts", "verify"],
    ledger: ["ask", "parts", "verify"],
    look: [],
    parts: ["ask"],
    plans: ["ask", "parts"],
    posture: ["ask", "parts"],
    verify: ["ask"],
  },
  formats: { client: ["dedalus", "yaml"], dedalus: ["yaml"], json: [], scenario: ["yaml"], yaml: [] },
  kernel: {
    apply: ["command", "decide", "state"],
    command: [],
    decide: ["command", "state"],
    evolve: ["command", "state"],
    state: ["command"],
  },
  ledger: {
    anchor: ["files", "record", "tree", "verify"],
    files: [],
    record: [],
    terms: ["files", "record"],
    tree: ["files", "record"],
    verify: ["files", "record", "tree"],
    write: ["files", "record", "tree", "verify"],
  },
  service: {
    act: ["hold", "read"],
    apart: ["hold", "ledger", "read"],
    examine: ["hold", "read"],
    hold: [],
    json: ["act", "examine", "hold", "ledger", "read"],
    ledger: ["hold", "read"],
    read: ["hold"],
  },
  simulator: { acts: ["world"], ports: ["acts", "world"], pve: ["ports", "world"], world: [] },
  spine: { plan: ["rules", "values", "words"], rules: ["values", "words"], values: [], words: ["rules", "values"] },
  "spine/words": { causes: [], refusals: ["causes"], remarks: ["causes", "refusals"], steps: ["causes", "refusals"] },
};

const PORTS = /^src\/adapters\/[^/]+\.ts$/;
const BESIDE_ENGINES = /^src\/ledger\/engines\/[^/]+\.ts$/;

/** The room a path of src/ belongs to, and the row that speaks for it. */
const roomOf = (path: string): { readonly room: string; readonly row: string } => {
  if (!path.startsWith("src/")) return { room: path, row: path };
  if (PORTS.test(path)) return { room: "adapters/ports", row: "adapters/ports" };
  const [first = "", second = "", third = ""] = path.slice("src/".length).split("/");
  if (first === "adapters") return { room: `adapters/${second}`, row: "adapters/*" };
  if (first === "ledger" && second === "engines" && !BESIDE_ENGINES.test(path))
    return { room: `ledger/engines/${third}`, row: "ledger/engines/*" };
  if (first === "ledger" && second === "engines") return { room: "ledger/engines", row: "ledger/engines" };
  if (first === "service" && second === "remote") return { room: "service/remote", row: "service/remote" };
  if (first === "boundary" && second === "checking") return { room: "boundary/checking", row: "boundary/checking" };
  if (first === "boundary" && second === "contract") return { room: "boundary/contract", row: "boundary/contract" };
  return { room: first, row: first };
};

export const ROOM_NAMES: readonly string[] = Object.keys(ROOMS);
export const roomNameOf = (path: string): string => roomOf(path).row;

const PICTURE = "Move the code to the room that may have this import, or change the picture in ARCHITECTURE.md first.";

export const wrongArrows = (source: Source): readonly Finding[] => {
  if (!source.file.startsWith("src/")) return [];
  const here = roomOf(source.file);
  const rule = here.row === "spine" ? "N5" : "P7-S2";
  const known = Object.hasOwn(ROOMS, here.row) ? ROOMS[here.row] : undefined;
  if (known === undefined) return [findingAt(rule, source, 0, `${here.row} is no room of src/`, PICTURE)];
  return importsOf(source).flatMap(({ at, specifier }) => {
    const wrong =
      specifier === undefined ? "imports a path that is computed" : arrow(source.file, here, known, specifier);
    return wrong === undefined ? [] : [findingAt(rule, source, at, wrong, PICTURE)];
  });
};

/** Folders have folders in turn: every picture that both files are in is asked. */
const innerArrow = (file: string, path: string): string | undefined =>
  Object.entries(FOLDERS)
    .filter(([room]) => [file, path].every((one) => one.startsWith(`src/${room}/`)))
    .map(([room, folders]) => arrowIn(room, folders, file, path))
    .find((wrong) => wrong !== undefined);

const arrowIn = (room: string, folders: Folders, file: string, path: string): string | undefined => {
  const [here, there] = [folderIn(room, file), folderIn(room, path)];
  if (here === undefined || there === undefined || here === there) return undefined;
  const known = Object.hasOwn(folders, here) ? folders[here] : undefined;
  if (known === undefined) return `${room}/${here} is no folder of the picture`;
  return known.includes(there) ? undefined : `${room}/${here} imports ${room}/${there}`;
};

/** undefined for a file that stands beside the folders. */
const folderIn = (room: string, path: string): string | undefined => {
  const [first, second] = path.slice(`src/${room}/`.length).split("/");
  return second === undefined ? undefined : first;
};

const arrow = (file: string, here: { readonly room: string }, known: Row, specifier: string): string | undefined => {
  const path = resolved(file, specifier);
  if (path !== undefined) {
    const there = roomOf(path);
    const inner = there.room === here.room ? innerArrow(file, path) : undefined;
    if (inner !== undefined) return inner;
    return there.room === here.room || known.from.includes(there.row)
      ? undefined
      : `${here.room} imports ${there.room} (${specifier})`;
  }
  const [kind, list] = specifier.startsWith("node:") ? ["platform", known.platform] : ["packages", known.packages];
  return list === "any" || list.includes(specifier)
    ? undefined
    : `${here.room} imports ${specifier}, not of its ${kind}`;
};
