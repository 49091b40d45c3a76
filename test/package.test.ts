// The package as an operator gets it: packed, installed into an empty prefix, and used from there for the whole story.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { parse } from "yaml";
import { type Packed, pack } from "../tools/package/pack.ts";
import { ROOT } from "../tools/sources.ts";
import { installPackage } from "./package/installed.ts";

/** With the console, which comes three times: as it is, and compressed in two ways. A checkout has far more. */
const BYTES_MAX = 5_500_000;
const RUNTIME = [
  "@modelcontextprotocol/server",
  "@opentelemetry/api",
  "fastify",
  "openid-client",
  "pg",
  "prom-client",
  "typebox",
  "yaml",
];

let folder = "";
const at = (...path: readonly string[]): string => join(folder, ...path);
const jsonAt = (...path: readonly string[]) => JSON.parse(readFileSync(at(...path), "utf8"));

const ENVIRONMENT = {
  HOME_PVE_APPLY: "dedalus@pve!apply=22222222-2222-4222-8222-222222222222",
  HOME_PVE_OBSERVE: "dedalus@pve!observe=11111111-1111-4111-8111-111111111111",
  NO_COLOR: "1",
  PG_URL: "postgres://nobody:none@127.0.0.1:1/none",
  PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter),
};

const dedalus = (cwd: string, ...argv: readonly string[]) => {
  const options = { cwd, encoding: "utf8", env: ENVIRONMENT } as const;
  const { status, stderr, stdout } = spawnSync(at("prefix/bin/dedalus"), argv, options);
  return { code: status, err: stderr, out: stdout };
};

const onNode = (version: string) => {
  writeFileSync(at("other.cjs"), `Object.defineProperty(process, "versions", { value: { node: "${version}" } });`);
  const argv = ["--require", at("other.cjs"), at("prefix/bin/dedalus"), "--version"];
  return spawnSync(process.execPath, argv, { encoding: "utf8" });
};

const configText = (fingerprint: string, url: string): string => `version: 1
operator: alice
ledger: { engine: sqlite, path: ledger/dedalus.db }
anchor: anchor/checkpoints.txt
signingKey: keys/ledger.key
environments:
  home:
    adapter: proxmox
    url: ${url}
    tls: { verify: pinned, sha256: "${fingerprint}" }
    credentials:
      observe: { env: HOME_PVE_OBSERVE }
      apply: { env: HOME_PVE_APPLY }
    approval: single-operator
    maxObservationAge: 60 s
    desired: desired.yaml
`;

/** A program of somebody who uses the package's types. */
const writeConsumer = (name: string, type: string, format: string, value: unknown): void => {
  const text = `import type { ${type} } from "dedalus/${format}";\nexport const it: ${type} = ${JSON.stringify(value)};\n`;
  writeFileSync(at("consumer", `${name}.mts`), text);
};

/** Compiles all of them at once; what the compiler says, by the program that it says it of. */
const compiled = (names: readonly string[]): ReadonlyMap<string, readonly string[]> => {
  const argv = [join(ROOT, "node_modules/typescript/bin/tsc"), "--noEmit", "--strict", "--module", "nodenext"];
  const files = names.map((name) => `${name}.mts`);
  const options = { cwd: at("consumer"), encoding: "utf8" } as const;
  const { stdout } = spawnSync(process.execPath, [...argv, "--pretty", "false", ...files], options);
  const lines = stdout.split("\n").filter((line) => /^\S/.test(line));
  return Map.groupBy(lines, (line) => /^([\w-]+)\.mts\(/.exec(line)?.[1] ?? "of none");
};

describe("an installed package", () => {
  let packed: Packed;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "dedalus-package-"));
    packed = installPackage(folder);
  });
  after(() => rmSync(folder, { force: true, recursive: true }));

  test("the package is small, and has no test, no tool, no source, no picture and nothing of a checkout", () => {
    const own = packed.files.filter(({ path }) => !path.startsWith("node_modules/"));
    const bytes = own.reduce((sum, { size }) => sum + size, 0);
    assert.ok(bytes < BYTES_MAX, `${bytes} bytes`);
    const paths = own.map(({ path }) => path);
    const folders = new Set(paths.map((path) => (path.includes("/") ? path.split("/")[0] : "")));
    assert.deepEqual(folders, new Set(["", "bin", "console", "docs", "examples", "lib", "man", "schemas", "types"]));
    assert.deepEqual(
      paths.filter((path) => /(?<!\.d)\.ts$|\btest\b|\.db$|^docs\/images/.test(path)),
      [],
    );
    for (const path of ["DESIGN.md", "LICENSE", "bin/dedalus.cjs", "lib/main.js", "man/dedalus.1"])
      assert.ok(paths.includes(path), path);
  });

  test("the links of its documents lead somewhere, but for those to the sources, tests and pictures", () => {
    const own = at("prefix/lib/node_modules/dedalus");
    for (const file of [...globSync("*.md", { cwd: own }), ...globSync("docs/**/*.md", { cwd: own })]) {
      for (const [, target = ""] of readFileSync(join(own, file), "utf8").matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g))
        if (!/^[a-z]+:|^(?:\.\.\/)*(?:src|test|tools|bench|integrations|(?:docs\/)?images)\//.test(target))
          assert.ok(existsSync(join(own, dirname(file), target)), `${file}: ${target}`);
    }
  });

  test("the same sources give the same bytes", () => {
    const again = pack(at("tree"), at("again"));
    const digestOf = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");
    assert.equal(digestOf(at("again", again.filename)), digestOf(at("packed", packed.filename)));
  });

  test("an install brings the dependencies of run time with what they need, in the versions of the lock file", () => {
    const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
    const needed = new Set<string>();
    const need = (name: string): void => {
      if (needed.has(name)) return;
      needed.add(name);
      const { dependencies, optionalDependencies } = packages[`node_modules/${name}`];
      for (const one of Object.keys({ ...dependencies, ...optionalDependencies })) need(one);
    };
    for (const name of RUNTIME) need(name);
    const modules = "prefix/lib/node_modules/dedalus/node_modules";
    const names = readdirSync(at(modules))
      .filter((name) => !name.startsWith("."))
      .flatMap((name) =>
        name.startsWith("@") ? readdirSync(at(modules, name)).map((one) => `${name}/${one}`) : [name],
      );
    assert.deepEqual(new Set(names), needed);
    for (const name of names)
      assert.equal(jsonAt(modules, name, "package.json").version, packages[`node_modules/${name}`].version, name);
    assert.deepEqual(
      readdirSync(at("prefix/lib/node_modules")).filter((name) => !name.startsWith(".")),
      ["dedalus"],
    );
  });

  test("it says its version from any folder, and doctor finds the contract as it was built for", () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const { code, err, out } = dedalus(tmpdir(), "--version", "--json");
    assert.deepEqual([code, err, JSON.parse(out).dedalus], [0, "", version]);
    const doctor = dedalus(folder, "doctor", "--json");
    assert.equal(doctor.code, 0);
    assert.equal(JSON.parse(doctor.out).healthy, true);
  });

  test("an installed package whose contract was changed decides nothing", () => {
    const contract = at("prefix/lib/node_modules/dedalus/DESIGN.md");
    const text = readFileSync(contract, "utf8");
    writeFileSync(contract, text.replace("never", "nevar"));
    assert.equal(dedalus(folder, "rules").code, 6);
    writeFileSync(contract, text);
    assert.equal(dedalus(folder, "rules").code, 0);
  });

  test("an older Node gets one line and no stack trace; a newer one is used", () => {
    const { status, stderr, stdout } = onNode("22.20.0");
    assert.deepEqual([status, stdout, stderr.split("\n").length], [2, "", 2]);
    assert.ok(stderr.includes("22.20.0"));
    assert.equal(onNode("26.0.0").status, 0);
  });

  test("it has the driver of a ledger on PostgreSQL: a server that is not there is unreachable, and no bug", () => {
    assert.equal(dedalus(folder, "init", "elsewhere", "--operator", "alice").code, 0);
    const file = at("elsewhere/dedalus.yaml");
    const text = readFileSync(file, "utf8").replace(
      /^ledger:\n(?: .*\n)+/m,
      "ledger: { engine: postgres, url: { env: PG_URL } }\n",
    );
    writeFileSync(file, text);
    const { code, out } = dedalus(at("elsewhere"), "status", "--json");
    assert.equal(code, 8);
    assert.equal(JSON.parse(out).error.refusals[0].code, "ledger-unreachable");
  });

  test("the story of the demo is told by the installed program, and its ledger verifies", async (t) => {
    assert.equal(dedalus(folder, "init", "story", "--operator", "alice").code, 0);
    const run = (...argv: readonly string[]) => dedalus(at("story"), ...argv);
    for (const name of ["cluster.yaml", "desired.yaml"])
      copyFileSync(at("prefix/lib/node_modules/dedalus/examples/demo", name), at("story", name));
    const cluster = spawn(at("prefix/bin/dedalus"), ["simulate", "--scenario", "cluster.yaml", "--follow", "--json"], {
      cwd: at("story"),
      env: ENVIRONMENT,
      stdio: ["ignore", "pipe", "inherit"],
    });
    t.after(() => cluster.kill());
    const [first] = await once(createInterface({ input: cluster.stdout }), "line");
    const { fingerprint, url } = JSON.parse(first);
    writeFileSync(at("story/dedalus.yaml"), configText(fingerprint, url));

    assert.equal(run("doctor", "--env", "home").code, 0);
    assert.equal(run("register", "--env", "home", "desired.yaml").code, 0);
    const planned = run("plan", "--env", "home", "--out", "plan.json");
    assert.equal(planned.code, 4);
    const [, plan = ""] = /^plan ([0-9A-Z]{26})$/m.exec(planned.out) ?? [];
    const challenge = run("explain", plan, "--step", "1", "--challenge");
    const [, hash = ""] = /--confirm ([0-9a-f]{64})/.exec(challenge.out) ?? [];
    assert.equal(run("apply", plan, "--step", "1", "--confirm", hash, "--out", "result.json").code, 0);
    assert.equal(jsonAt("story/result.json").outcome, "succeeded");
    assert.equal(run("plan", "--env", "home", "--action", "vm.stop", "--vm", "103").code, 3);
    assert.equal(run("replay").code, 0);
    assert.equal(run("ledger", "verify").code, 0);
    assert.equal(run("ledger", "export", "--out", "audit").code, 0);
    assert.equal(run("ledger", "verify", "--export", "audit").code, 0);
  });

  test("what the story wrote has the published types, and what is no such file has not", () => {
    mkdirSync(at("consumer"));
    const installed = at("prefix/lib/node_modules");
    spawnSync("ln", ["-s", installed, at("consumer/node_modules")]);
    const desired = parse(readFileSync(at("story/desired.yaml"), "utf8"));
    const [line = ""] = readFileSync(at("story/audit/audit_export.jsonl"), "utf8").split("\n");
    const files: Readonly<Record<string, readonly [format: string, value: unknown]>> = {
      Config: ["dedalus", parse(readFileSync(at("story/dedalus.yaml"), "utf8"))],
      Desired: ["desired", desired],
      LedgerRecord: ["record", JSON.parse(line)],
      PlanFile: ["plan", jsonAt("story/plan.json")],
      Result: ["result", jsonAt("story/result.json")],
    };
    for (const [type, [format, value]] of Object.entries(files)) {
      writeConsumer(type, type, format, value);
      writeConsumer(`no-${type}`, type, format, { ...(value as object), stranger: 1 });
    }
    const types = Object.keys(files);
    const said = compiled(types.flatMap((type) => [type, `no-${type}`]));
    // Nothing is said of those that fit, nor of the package's own types.
    assert.deepEqual([...said.keys()].toSorted(), types.map((type) => `no-${type}`).toSorted());
    for (const [name, lines] of said) assert.match(lines.join("\n"), /error TS2353/, name);
  });
});
