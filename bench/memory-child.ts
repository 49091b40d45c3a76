// One process that prints how many bytes one thing took: `idle`, `parsed` (the heap of the parsed observation), or
// `whole` (the peak of the whole way). Started by memory.ts.

import { readFileSync } from "node:fs";
import { desiredStateOf } from "../src/spine/plan/desired-state.ts";
import { plan } from "../src/spine/plan/plan.ts";
import { NO_POLICY, policyDigest } from "../src/spine/plan/policy.ts";
import { safety } from "../src/spine/plan/safety.ts";
import { sha256 } from "../src/spine/values/hash.ts";
import { observe } from "../src/spine/values/observation.ts";
import { desiredStateIn, ENVIRONMENT, observationIn } from "./fleet.ts";

const [role = "", current = "", desiredFile = ""] = process.argv.slice(2);

const peakBytes = (): number => process.resourceUsage().maxRSS * 1024;

const heapBytes = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};

const parsedBytes = (): number => {
  const text = readFileSync(current, "utf8");
  const before = heapBytes();
  const value: unknown = JSON.parse(text);
  const bytes = heapBytes() - before;
  // Both stay in use to here, so that neither is swept too early.
  if (typeof value !== "object" || text === "") throw new Error("the observation is an object");
  return bytes;
};

const wholeBytes = (): number => {
  const observed = observe(observationIn({ text: readFileSync(current, "utf8") }));
  const desired = desiredStateOf(ENVIRONMENT, desiredStateIn({ desiredText: readFileSync(desiredFile, "utf8") }));
  if ("kind" in desired) throw new Error(desired.code);
  const made = plan(desired, observed, "all", { environment: sha256("null"), policy: policyDigest(NO_POLICY) });
  const verdict = safety(made, NO_POLICY);
  if (verdict.kind === "refused") throw new Error(verdict.refusals[0].code);
  return peakBytes();
};

const ROLES: Readonly<Record<string, () => number>> = { idle: peakBytes, parsed: parsedBytes, whole: wholeBytes };
const measure = ROLES[role];
if (measure === undefined) throw new Error(`no role ${role}`);
process.stdout.write(`${measure()}\n`);
