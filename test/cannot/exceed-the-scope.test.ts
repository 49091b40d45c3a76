// P7-S3: docs/SCOPE.md and the code list the same commands, routes, pages, tools and acts of the kernel.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { APPROVAL_ROUTES } from "../../src/boundary/approval/approval-routes.ts";
import { CONSOLE_ROUTES } from "../../src/boundary/console/console-routes.ts";
import { AGENTS_ROUTE, DOOR_ROUTES } from "../../src/boundary/contract/door-routes.ts";
import { pathsOf } from "../../src/boundary/contract/http-route.ts";
import { ROUTED, ROUTES } from "../../src/boundary/contract/routes.ts";
import { IDENTITY_ROUTES } from "../../src/boundary/identity/identity-routes.ts";
import { TOOL_NAMES } from "../../src/boundary/mcp/tools.ts";
import { SHORT_COMMANDS } from "../../src/cli/catalogue/apply-commands.ts";
import { COMMANDS } from "../../src/cli/catalogue/catalogue.ts";
import { ACT_KINDS } from "../../src/kernel/command/record-kinds.ts";
import { scopeFindings } from "../../tools/scope.ts";
import { cannot } from "../cannot.ts";

const text = readFileSync(new URL("../../docs/SCOPE.md", import.meta.url), "utf8");
const commands = COMMANDS.map(({ name }) => name);
const routes = [
  ...ROUTED.flatMap((one) => pathsOf(ROUTES[one]).map((path) => `${ROUTES[one].method} ${path}`)),
  ...[...Object.values(DOOR_ROUTES), AGENTS_ROUTE].map(({ method, path }) => `${method} ${path}`),
];

const pages = [...Object.keys(IDENTITY_ROUTES), ...Object.keys(APPROVAL_ROUTES), ...CONSOLE_ROUTES].map((where) =>
  where.replaceAll(/:([a-z]+)/g, "{$1}"),
);
const exists = { acts: ACT_KINDS, commands, pages, routes, tools: TOOL_NAMES };

cannot("P7-S3", "have a command that the scope does not list", {
  neighbour: () => scopeFindings(text, exists),
  offence: () => scopeFindings(text, { ...exists, commands: [...commands, "exec"] }),
});
cannot("P7-S3", "have an act of the kernel that the scope does not list", {
  neighbour: () => scopeFindings(text, exists),
  offence: () => scopeFindings(text, { ...exists, acts: [...ACT_KINDS, "passthrough"] }),
});
cannot("P7-S3", "have a route that the scope does not list", {
  neighbour: () => scopeFindings(text, exists),
  offence: () => scopeFindings(text, { ...exists, routes: [...routes, "POST /v1/exec"] }),
});
cannot("P7-S3", "have a page that the scope does not list", {
  neighbour: () => scopeFindings(text, exists),
  offence: () => scopeFindings(text, { ...exists, pages: [...pages, "GET /apply/{plan}"] }),
});
cannot("P7-S3", "have a tool that the scope does not list", {
  neighbour: () => scopeFindings(text, exists),
  offence: () => scopeFindings(text, { ...exists, tools: [...TOOL_NAMES, "approve_step"] }),
});
cannot("P7-S3", "list a tool that does not exist", {
  neighbour: () => scopeFindings(text, exists),
  offence: () => scopeFindings(text, { ...exists, tools: TOOL_NAMES.slice(1) }),
});
cannot("P7-S3", "list what does not exist", {
  neighbour: () => scopeFindings(text, exists),
  offence: () => scopeFindings(text, { ...exists, commands: commands.filter((name) => name !== "apply") }),
});
cannot("P7-S3", "list a command without the rule that allows it", {
  neighbour: () => scopeFindings(text, exists),
  offence: () => scopeFindings(text.replace("| P7-E1 |", "| because |"), exists),
});

test("the scope says of apply, of the commands that walk one and of the tool that applies, that they change a VM, and of no other", () => {
  const changing = Array.from(text.matchAll(/^\| `([a-z][^`]*)` \|[^|]*\| changes \|/gm), ([, name]) => name);
  assert.deepEqual(changing, ["apply", "start", "shutdown", "stop", "reboot", "snapshot", "resize", "apply_step"]);
  assert.deepEqual(
    changing.slice(1, -1),
    SHORT_COMMANDS.map(({ name }) => name),
  );
});
