// P7-S3: docs/SCOPE.md and the code list the same commands, the same routes and the same acts of the kernel.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { DOOR_ROUTES } from "../../src/boundary/contract/door-routes.ts";
import { pathsOf } from "../../src/boundary/contract/http-route.ts";
import { ROUTED, ROUTES } from "../../src/boundary/contract/routes.ts";
import { SHORT_COMMANDS } from "../../src/cli/catalogue/apply-commands.ts";
import { COMMANDS } from "../../src/cli/catalogue/catalogue.ts";
import { ACT_KINDS } from "../../src/kernel/command/record-kinds.ts";
import { scopeFindings } from "../../tools/scope.ts";
import { cannot } from "../cannot.ts";

const text = readFileSync(new URL("../../docs/SCOPE.md", import.meta.url), "utf8");
const commands = COMMANDS.map(({ name }) => name);
const routes = [
  ...ROUTED.flatMap((one) => pathsOf(ROUTES[one]).map((path) => `${ROUTES[one].method} ${path}`)),
  ...Object.values(DOOR_ROUTES).map(({ method, path }) => `${method} ${path}`),
];

cannot("P7-S3", "have a command that the scope does not list", {
  neighbour: () => scopeFindings(text, { acts: ACT_KINDS, commands, routes }),
  offence: () => scopeFindings(text, { acts: ACT_KINDS, commands: [...commands, "exec"], routes }),
});
cannot("P7-S3", "have an act of the kernel that the scope does not list", {
  neighbour: () => scopeFindings(text, { acts: ACT_KINDS, commands, routes }),
  offence: () => scopeFindings(text, { acts: [...ACT_KINDS, "passthrough"], commands, routes }),
});
cannot("P7-S3", "have a route that the scope does not list", {
  neighbour: () => scopeFindings(text, { acts: ACT_KINDS, commands, routes }),
  offence: () => scopeFindings(text, { acts: ACT_KINDS, commands, routes: [...routes, "POST /v1/exec"] }),
});
cannot("P7-S3", "list what does not exist", {
  neighbour: () => scopeFindings(text, { acts: ACT_KINDS, commands, routes }),
  offence: () =>
    scopeFindings(text, { acts: ACT_KINDS, commands: commands.filter((name) => name !== "apply"), routes }),
});
cannot("P7-S3", "list a command without the rule that allows it", {
  neighbour: () => scopeFindings(text, { acts: ACT_KINDS, commands, routes }),
  offence: () => scopeFindings(text.replace("| P7-E1 |", "| because |"), { acts: ACT_KINDS, commands, routes }),
});

test("the scope says of apply, and of the commands that walk one, that they change a VM, and of no other", () => {
  const changing = Array.from(text.matchAll(/^\| `([a-z][^`]*)` \|[^|]*\| changes \|/gm), ([, name]) => name);
  assert.deepEqual(changing, ["apply", "start", "shutdown", "stop", "reboot", "snapshot", "resize"]);
  assert.deepEqual(
    changing.slice(1),
    SHORT_COMMANDS.map(({ name }) => name),
  );
});
