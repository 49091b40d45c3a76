// The calls that docs/agents.md shows are calls that the tools take.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Compile } from "typebox/compile";
import { TOOL_NAMES, TOOLS } from "../../../src/boundary/mcp/tools.ts";

const PAGE = readFileSync(new URL("../../../docs/agents.md", import.meta.url), "utf8");
const CALL = /^([a-z_]+) +(\{.*\})$/gm;

test("every call in docs/agents.md names a tool and fits its schema", () => {
  const calls = [...PAGE.matchAll(CALL)];
  assert.ok(calls.length >= 6, `found ${calls.length}`);
  for (const [line, name, args = ""] of calls) {
    const tool = TOOL_NAMES.find((one) => one === name);
    assert.ok(tool !== undefined, line);
    assert.ok(Compile(TOOLS[tool].input).Check(JSON.parse(args)), line);
  }
});
