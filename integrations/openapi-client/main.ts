// node main.ts OPENAPI-FILE: plays the story against the service at DEDALUS_SERVER and prints what came of it as JSON.
//
// The tokens of the three are in the environment: OPERATOR_TOKEN, APPROVER_TOKEN, AGENT_TOKEN.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { connect, granted } from "./dedalus-client.ts";
import { playFourEyes } from "./four-eyes.ts";

const given = (name: string): string => process.env[name] ?? assert.fail(`${name} is not set`);

const [, , file = assert.fail("the OpenAPI file is not named")] = process.argv;
const description = JSON.parse(readFileSync(file, "utf8"));
const as = (name: string) => connect(given("DEDALUS_SERVER"), given(name), description);

const operator = as("OPERATOR_TOKEN");
assert.equal(granted(await operator.GET("/readyz")).approvalModes["four-eyes"], 1);
const told = await playFourEyes({ agent: as("AGENT_TOKEN"), approver: as("APPROVER_TOKEN"), operator });
process.stdout.write(`${JSON.stringify(told)}\n`);
