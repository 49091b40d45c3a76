// The source itself is clean, and each check is shown an offence and its nearest allowed neighbour.
//
// Offences are texts that are planted in a tree of their own; the real tree is read as it is.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sources } from "../tools/sources.ts";
import type { Finding } from "../tools/tidy/finding.ts";
import { ROOM_NAMES, roomNameOf } from "../tools/tidy/rooms.ts";
import { findings, findingText } from "../tools/tidy.ts";
import { cannot } from "./cannot.ts";

const planted = (...files: readonly (readonly [path: string, text: string])[]): readonly Finding[] =>
  findings(new Map(files.map(([path, text]) => [path, `// A planted file.\n\n${text}\n`])));

/** One path, two texts. */
const texts = (path: string, offence: string, neighbour: string) => ({
  neighbour: () => planted([path, neighbour]),
  offence: () => planted([path, offence]),
});

/** One text, two paths. */
const places = (text: string, offence: string, neighbour: string) => ({
  neighbour: () => planted([neighbour, text]),
  offence: () => planted([offence, text]),
});

test("the tree is tidy", () => {
  assert.deepEqual(findings(sources()).map(findingText), []);
});

test("every room that exists was looked at", () => {
  const files = [...sources().keys()].filter((file) => file.startsWith("src/"));
  assert.ok(files.length > 20, `only ${files.length} files were read`);
  const rooms = new Set(files.map(roomNameOf));
  assert.deepEqual([...rooms].toSorted(), ROOM_NAMES.toSorted(), "the rooms that are drawn are those that exist");
});

test("a finding says where it is and what to do instead", () => {
  const [finding] = planted(["src/spine/a.ts", 'import { readFileSync } from "node:fs";']);
  assert.ok(finding);
  assert.deepEqual({ file: finding.file, line: finding.line }, { file: "src/spine/a.ts", line: 3 });
  assert.ok(finding.instead.length > 20);
});

const SPINE = "src/spine/a.ts";

cannot(
  "P7-F3",
  "write code that tries again",
  texts("src/kernel/a.ts", "const retry = (): void => undefined;", "const refuse = (): void => undefined;"),
);
cannot(
  "P7-F3",
  "send an intent anywhere but in the loop of an apply",
  texts(
    "src/cli/a.ts",
    "const act = () => actuator.send(intent, signal);",
    "const see = () => source.observe(wanted, signal);",
  ),
);
cannot(
  "N3",
  "list what nobody wrote down from where something is observed or planned",
  texts(
    "src/service/act/a.ts",
    "const see = async () => (await adapterOf(name)).inventory(signal);",
    "const see = async () => (await adapterOf(name)).source.observe(wanted, signal);",
  ),
);
cannot(
  "P7-S1",
  "do something because time has passed",
  texts("src/cli/a.ts", "setInterval(() => undefined, 1_000);", "const every = 1_000;"),
);

cannot(
  "N5",
  "import the platform's files in the spine",
  texts(SPINE, 'import { readFileSync } from "node:fs";', 'import { hash } from "node:crypto";'),
);
cannot(
  "N5",
  "import another room in the spine, not even for a type",
  texts(SPINE, 'import type { Parsed } from "../formats/problem.ts";', 'import type { Plan } from "./model.ts";'),
);
cannot(
  "N5",
  "pass another room through the spine",
  texts(SPINE, 'export { parse } from "yaml";', 'import { plan } from "./plan.ts";'),
);
cannot("N5", "import for an effect in the spine", texts(SPINE, 'import "../wire.ts";', 'import "./hash.ts";'));
cannot(
  "N5",
  "import late in the spine",
  texts(SPINE, 'const late = () => import("../config.ts");', 'const late = () => import("./plan.ts");'),
);
cannot(
  "N5",
  "import a computed path in the spine",
  texts(SPINE, "const late = (path: string) => import(path);", 'const late = () => import("./plan.ts");'),
);
cannot(
  "P7-S2",
  "take a module of Node by its name that may not be imported",
  texts(
    "src/service/a.ts",
    'const files = () => process.getBuiltinModule("node:fs");',
    'const paths = () => process.getBuiltinModule("node:path");',
  ),
);
cannot(
  "N5",
  "reach the process from the spine without an import",
  texts(SPINE, "const folder = () => process.cwd();", 'const folder = () => "process.cwd()";'),
);

cannot(
  "N4",
  "name a provider in the spine",
  texts(SPINE, 'const a = "proxmox";', '// Proxmox VE.\nconst a = "place";'),
);
cannot("N4", "name a provider inside a longer word", texts(SPINE, "const isPve = true;", "const isPlace = true;"));
cannot(
  "N4",
  "decide on the source of a VM's state",
  texts(
    SPINE,
    'const isLive = (state: VmState) => state.source === "live";',
    'const isLive = (state: VmState) => state.status === "running";',
  ),
);
cannot(
  "N4",
  "take the source out of a VM's state",
  places("const shown = ({ source }: VmState) => source;", SPINE, "src/spine/values/observation.ts"),
);

cannot(
  "N6",
  "read the clock in the spine",
  texts(SPINE, "const a = () => Date.now();", "const a = (now: Instant) => now;"),
);
cannot(
  "N6",
  "read the clock outside its one file",
  places("export const now = () => new Date();", "src/cli/a.ts", "src/clock.ts"),
);
cannot(
  "N6",
  "read a clock by another name",
  places("export const a = () => performance.now();", "src/kernel/a.ts", "src/clock.ts"),
);
cannot(
  "N6",
  "let the platform read a date where its text was not checked",
  places("export const a = (text: string) => new Date(text);", "src/formats/a.ts", "src/formats/fields.ts"),
);
cannot(
  "N6",
  "ask for chance outside its one file",
  places("export const a = () => Math.random();", "src/cli/a.ts", "src/ids.ts"),
);
cannot(
  "N6",
  "take chance from the platform's cryptography",
  texts(SPINE, 'import { randomUUID } from "node:crypto";', 'import { createHash } from "node:crypto";'),
);
cannot(
  "N6",
  "read the environment outside its one file",
  places('export const a = () => process.env["HOME"];', "src/cli/a.ts", "src/config.ts"),
);
cannot(
  "N6",
  "import the environment under its own name",
  places('import { env } from "node:process";', "src/cli/a.ts", "src/config.ts"),
);
cannot(
  "N6",
  "order by locale",
  texts(
    SPINE,
    "const order = (a: string, b: string) => a.localeCompare(b);",
    "const order = (a: string, b: string) => (a < b ? -1 : 1);",
  ),
);
cannot(
  "N6",
  "write a number as the machine's owner would",
  texts("src/cli/a.ts", "const a = (n: number) => n.toLocaleString();", "const a = (n: number) => n.toString();"),
);

cannot(
  "P7-D1",
  "show what depends on the width of a terminal",
  places("export const a = () => process.stdout.columns;", "src/cli/views/view-plan.ts", "src/cli/process/io.ts"),
);
cannot(
  "P7-D1",
  "explain with the time of day",
  texts("src/spine/plan/explain.ts", "const a = () => Date.now();", "const a = (plan: Plan) => plan.hash;"),
);
cannot(
  "P7-D1",
  "remember in a view what was shown before",
  texts("src/cli/views/view-plan.ts", "let shown = 0;", "const SHOWN_MAX = 3;"),
);

cannot("P7-D2", "keep a variable between two decisions", texts(SPINE, "let last = 0;", "const LAST = 0;"));
cannot(
  "P7-D2",
  "keep a variable in the kernel",
  texts("src/kernel/a.ts", "var last = 0;", "const next = () => {\n  let last = 0;\n  last += 1;\n  return last;\n};"),
);
cannot(
  "P7-D2",
  "keep a collection open between two decisions",
  texts(SPINE, "export const SEEN = new Set<string>();", 'export const SEEN: ReadonlySet<string> = new Set(["a"]);'),
);
cannot(
  "P7-D2",
  "alter a constant",
  texts(
    SPINE,
    "const SEEN = [1];\nconst see = () => SEEN.push(2);",
    "const SEEN = [1];\nconst see = () => SEEN.map(twice);",
  ),
);
cannot(
  "P7-D2",
  "write into a table",
  texts(
    SPINE,
    "const TABLE = { a: 1 };\nconst see = () => {\n  TABLE.a = 2;\n};",
    "const TABLE = { a: 1 };\nconst see = () => TABLE.a === 2;",
  ),
);
cannot("P7-D2", "judge by a pattern that remembers", texts(SPINE, "const NAME = /[a-z]+/g;", "const NAME = /[a-z]+/;"));
cannot("P7-D2", "have a memo", places("let digest: string | undefined;", SPINE, "src/cli/session.ts"));

cannot(
  "P7-S2",
  "import a door in the kernel",
  texts(
    "src/kernel/a.ts",
    'import { serve } from "../boundary/http.ts";',
    'import { append } from "../ledger/append.ts";',
  ),
);
cannot(
  "P7-S2",
  "let evolve know how a record was decided",
  texts(
    "src/kernel/evolve/a.ts",
    'import { decide } from "../decide/decide.ts";',
    'import type { State } from "../state/state.ts";',
  ),
);
cannot(
  "P7-S2",
  "let a command know the state that it is decided on",
  places('import type { State } from "../state/state.ts";', "src/kernel/command/a.ts", "src/kernel/decide/a.ts"),
);
cannot(
  "P7-S2",
  "let a record know the tree over it",
  texts(
    "src/ledger/record/a.ts",
    'import { rootOf } from "../tree/merkle.ts";',
    'import { Head } from "../engine.ts";',
  ),
);
cannot(
  "P7-S2",
  "verify a ledger by what writes it",
  texts(
    "src/ledger/verify/a.ts",
    'import { sealOf } from "../write/sealed.ts";',
    'import { sealIn } from "../record/copy-marks.ts";',
  ),
);
cannot(
  "P7-S2",
  "let a simulated world act by itself",
  texts("src/simulator/world/a.ts", 'import { act } from "../acts/acts.ts";', 'import type { Act } from "./act.ts";'),
);
cannot(
  "P7-S2",
  "add a folder to a room of folders without drawing it",
  places('import { a } from "../state/a.ts";', "src/kernel/attic/a.ts", "src/kernel/decide/a.ts"),
);
cannot(
  "N5",
  "point a folder inside a folder backwards",
  places('import { a } from "../refusals/a.ts";', "src/spine/words/causes/a.ts", "src/spine/words/steps/a.ts"),
);
cannot(
  "P7-S2",
  "name a concrete adapter outside wire.ts",
  places('import { replaySource } from "./adapters/replay/replay.ts";', "src/main.ts", "src/wire.ts"),
);
cannot(
  "P7-S2",
  "lean one adapter on another",
  texts(
    "src/adapters/libvirt/a.ts",
    'import { read } from "../replay/replay.ts";',
    'import type { Source } from "../source.ts";',
  ),
);
cannot(
  "P7-S2",
  "lean one engine on another",
  texts(
    "src/ledger/engines/papyrus/a.ts",
    'import { openSqlite } from "../sqlite/sqlite.ts";',
    'import { describeEngine } from "../descriptor.ts";',
  ),
);
cannot(
  "P7-S2",
  "name a concrete engine beside the engines",
  places('import { Client } from "pg";', "src/ledger/engines/a.ts", "src/ledger/engines/papyrus/a.ts"),
);
cannot(
  "P7-S2",
  "add a package to a room without listing it",
  places('import { parseDocument } from "yaml";', "src/cli/a.ts", "src/formats/a.ts"),
);
cannot(
  "P7-S2",
  "read files where texts are parsed",
  places('import { readFileSync } from "node:fs";', "src/formats/a.ts", "src/cli/a.ts"),
);
cannot(
  "P7-S2",
  "build a room that is not in the picture",
  places("export const a = 1;", "src/annex/a.ts", "src/cli/a.ts"),
);
cannot(
  "P7-S2",
  "need a test at run time",
  texts("src/cli/a.ts", 'import { a } from "../../test/a.ts";', 'import { a } from "./b.ts";'),
);
