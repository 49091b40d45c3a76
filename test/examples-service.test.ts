// The examples for whoever runs a service: a unit that gives it nothing but what it needs, a container that says
// whether it is well, and alerts whose metrics, labels, codes and runbooks there are.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parseDocument } from "yaml";
import { LOG_EVENT_NAMES } from "../src/boundary/telemetry/log-events.ts";
import { METRIC_NAMES, METRICS } from "../src/boundary/telemetry/metric-table.ts";
import { REFUSAL_CODES } from "../src/spine/rules/refusals.ts";
import { ROOT } from "../tools/sources.ts";

const textOf = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const UNIT = textOf("examples/systemd/dedalus.service");
const settingOf = (name: string): readonly string[] =>
  Array.from(UNIT.matchAll(new RegExp(`^${name}=(.*)$`, "gm")), ([, value]) => value ?? "");

test("the unit of the service runs as nobody's shell, writes in its own folder alone and gets its secrets as credentials", () => {
  for (const [name, value] of Object.entries({
    CapabilityBoundingSet: "",
    ExecReload: "/bin/kill -HUP $MAINPID",
    NoNewPrivileges: "yes",
    ProtectHome: "yes",
    ProtectSystem: "strict",
    ReadWritePaths: "/var/lib/dedalus",
    UMask: "0077",
    User: "dedalus",
  }))
    assert.deepEqual(settingOf(name), [value], name);
  assert.deepEqual(settingOf("LoadCredential"), ["observe:/etc/dedalus/observe", "apply:/etc/dedalus/apply"]);
});

test("systemd waits longer for the service than the service waits for calls that were sent", () => {
  const [, drain = ""] =
    /^const DRAIN_SECONDS = \{ default: (\d+),/m.exec(textOf("src/formats/dedalus/dedalus-service.ts")) ?? [];
  assert.ok(Number(settingOf("TimeoutStopSec")[0]) > Number(drain) && Number(drain) > 0);
});

type Rule = {
  readonly alert: string;
  readonly annotations: { readonly runbook: string; readonly summary: string };
  readonly expr: string;
};
const RULES: readonly Rule[] = parseDocument(textOf("examples/prometheus/dedalus.rules.yaml")).toJS().groups[0].rules;

/** GitHub's own way to a heading. */
const anchorsIn = (page: string): readonly string[] =>
  Array.from(page.matchAll(/^#+ (.*)$/gm), ([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^a-z0-9 -]/g, "")
      .replaceAll(" ", "-"),
  );

/** What is wrong with an alert. */
const faultsOf = ({ annotations: { runbook }, expr }: Rule): readonly string[] => {
  const selectors = Array.from(expr.matchAll(/\b((?:dedalus|process|nodejs)_[a-z_]+|up)(?:\{([^}]*)\})?/g));
  const [file = "", anchor = ""] = runbook.split("#");
  return [
    ...(selectors.length === 0 ? ["no metric"] : []),
    ...(anchorsIn(textOf(file)).includes(anchor) ? [] : [`no heading ${anchor}`]),
    ...selectors.flatMap(([, series = "", labels = ""]) => {
      if (!series.startsWith("dedalus_")) return [];
      const name = METRIC_NAMES.find((one) => one === series.replace(/_bucket$/, ""));
      if (name === undefined) return [`no metric ${series}`];
      const known: readonly string[] = METRICS[name].labels;
      return Array.from(labels.matchAll(/([a-z]+)[!=~]+"([^"]*)"/g)).flatMap(([, label = "", value = ""]) => [
        ...(known.includes(label) ? [] : [`no label ${label} of ${name}`]),
        ...(label === "code" ? value.split("|").filter((code) => !REFUSAL_CODES.some((one) => one === code)) : []),
      ]);
    }),
  ];
};

for (const rule of RULES) test(`${rule.alert} asks for what there is`, () => assert.deepEqual(faultsOf(rule), []));

test("an alert on what there is not is found", () => {
  const annotations = { runbook: "docs/operations.md#frozen", summary: "" };
  const fault = (expr: string) => faultsOf({ alert: "", annotations, expr });
  assert.deepEqual(fault("dedalus_frozen > 0"), ["no metric dedalus_frozen"]);
  assert.deepEqual(fault('dedalus_freezes{vm="1"} > 0'), ["no label vm of dedalus_freezes"]);
  assert.deepEqual(fault('dedalus_refusals_total{code=~"frozen|nonsense"} > 0'), ["nonsense"]);
  assert.deepEqual(
    faultsOf({ alert: "", annotations: { ...annotations, runbook: "docs/operations.md#x" }, expr: "up" }),
    ["no heading x"],
  );
});

test("every alert of one runbook entry leads there, and the page names no log event or metric that there is not", () => {
  const page = textOf("docs/operations.md");
  const named = Array.from(page.matchAll(/`(dedalus_[a-z_]+)`/g), ([, name]) => name ?? "");
  assert.deepEqual(
    named.filter((name) => !METRIC_NAMES.some((one) => one === name)),
    [],
  );
  for (const event of LOG_EVENT_NAMES) assert.ok(page.includes(`| \`${event}\` |`), event);
});

test("the container asks the service itself whether it is well, and runs as a user", () => {
  const text = textOf("examples/container/Containerfile");
  assert.match(text, /^USER \d+$/m);
  assert.match(text, /^HEALTHCHECK .* CMD \["dedalus", "serve", "--check"\]$/m);
  assert.match(text, /^STOPSIGNAL SIGTERM$/m);
  assert.match(text, /--ignore-scripts/);
});
