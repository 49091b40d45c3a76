// The commands of every day on 5,000 VMs, to whole processes of a bare Node: plan of files that are in sync, to one
// that reads the same files; drift, to one that sends the same requests in a loop of node:https.
//
// Each bare Node has compiled code cached as the command has. The reader parses desired.yaml by the yaml package and
// current.json by JSON.parse, and checks nothing. The loop has as many requests at a time on connections that it keeps,
// verifies the same certificate and parses every answer. What counts is the wall time, and the median of the ratios of
// rounds in which both took their turn.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bareNode, cached, DEDALUS, elapsedMs, type Start } from "./cli.ts";
import { desiredStateIn, fleetOf } from "./fleet.ts";
import { withFolder, withFolderAsync } from "./folder.ts";
import { median } from "./race.ts";
import type { Row } from "./row.ts";
import {
  AT_ONCE,
  atCluster,
  configText,
  OBSERVE_TOKEN,
  requestsOf,
  desiredText as runningText,
  TOKENS_ENV,
} from "./simulated-cluster.ts";
import { desiredText } from "./yaml.ts";

const VMS = 5_000;
const NODES = 16;
const PLANS = 21;
const DRIFTS = 9;
const REPOSITORY = fileURLToPath(new URL("..", import.meta.url));

export const dailyRows = async (): Promise<readonly Row[]> => [withFolder(planRow), await withFolderAsync(driftRow)];

const READING = `
const { readFileSync } = require("node:fs");
const [desired, current] = process.argv.slice(1);
require("yaml").parse(readFileSync(desired, "utf8"));
JSON.parse(readFileSync(current, "utf8"));
`;

const ASKING = `
const { Agent, request } = require("node:https");
const { atOnce, ca, paths, token, url } = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
const agent = new Agent({ ca, keepAlive: true, maxSockets: atOnce });
const headers = { Authorization: "PVEAPIToken=" + token };
const ask = (path) => new Promise((resolve, reject) => {
  request(url + path, { agent, headers }, (response) => {
    const chunks = [];
    response.on("data", (chunk) => chunks.push(chunk));
    response.on("end", () => {
      JSON.parse(Buffer.concat(chunks).toString("utf8"));
      resolve();
    });
  }).on("error", reject).end();
});
let next = 0;
const work = async () => {
  for (let path = paths[next++]; path !== undefined; path = paths[next++]) await ask(path);
};
Promise.all(Array.from({ length: atOnce }, work)).then(() => agent.destroy());
`;

type Turn = { readonly baseMs: number; readonly oursMs: number };

const rowOf = (measure: string, goal: number, turns: readonly Turn[]): Row => ({
  beside: `${median(turns.map(({ oursMs }) => oursMs)).toFixed(0)} ms to ${median(turns.map(({ baseMs }) => baseMs)).toFixed(0)} ms`,
  goal,
  measure,
  statistic: `wall time, median of ${turns.length} rounds`,
  value: median(turns.map(({ baseMs, oursMs }) => oursMs / baseMs)),
});

const planRow = (folder: string): Row => {
  const fleet = fleetOf({ driftPercent: 0, order: "sorted", vms: VMS });
  const [current, desired] = [join(folder, "current.json"), join(folder, "desired.yaml")];
  writeFileSync(current, fleet.text);
  writeFileSync(desired, desiredText(desiredStateIn(fleet)));
  const env = cached(folder);
  const plan: Start = { command: [DEDALUS, "plan", "--desired", desired, "--replay", current], env, exits: [0] };
  const reading: Start = { ...bareNode(READING, desired, current), cwd: REPOSITORY, env };
  // The first start of each fills caches: the disk's, and Node's for compiled code.
  elapsedMs(plan);
  elapsedMs(reading);
  const turns = Array.from({ length: PLANS }, () => ({ oursMs: elapsedMs(plan), baseMs: elapsedMs(reading) }));
  return rowOf(
    `bin/dedalus plan --replay, ${VMS} desired VMs in sync, to node reading and parsing the same files`,
    2,
    turns,
  );
};

const driftRow = (folder: string): Promise<Row> =>
  atCluster({ nodes: NODES, vms: VMS }, async (provider) => {
    const env = { ...cached(folder), ...TOKENS_ENV };
    const start = (...argv: readonly string[]): Start => ({
      command: [DEDALUS, ...argv],
      cwd: folder,
      env,
      exits: [0],
    });
    elapsedMs(start("init", ".", "--operator", "bench"));
    writeFileSync(join(folder, "dedalus.yaml"), configText(provider));
    writeFileSync(join(folder, "desired.yaml"), runningText(VMS));
    elapsedMs(start("register", "--env", "bench", "desired.yaml"));
    // The first of its guests is stopped.
    const drift: Start = { ...start("drift", "--env", "bench"), exits: [4] };
    const requests = await requestsOf(provider, () => elapsedMs(drift));
    const { ca, url } = provider;
    const list = join(folder, "requests.json");
    const paths = requests.map(({ path }) => path);
    writeFileSync(list, JSON.stringify({ atOnce: AT_ONCE, ca, paths, token: OBSERVE_TOKEN, url }));
    const asking: Start = { ...bareNode(ASKING, list), env };
    elapsedMs(asking);
    const turns: Turn[] = [];
    for (let round = 0; round < DRIFTS; round += 1) {
      if (round % 2 === 0) turns.push({ oursMs: elapsedMs(drift), baseMs: elapsedMs(asking) });
      else turns.push({ baseMs: elapsedMs(asking), oursMs: elapsedMs(drift) });
    }
    const measure = `bin/dedalus drift, ${VMS} VMs of Proxmox VE, to node sending the same ${requests.length} requests`;
    return rowOf(measure, 1.4, turns);
  });
