// make demo: the whole story on a simulated three-node cluster, with the real commands and a real ledger.
//
//   node examples/demo/demo.ts [FOLDER]      leaves everything that was made in FOLDER (default: demo/)

import { once } from "node:events";
import { copyFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import {
  asked,
  type Cluster,
  challengeIn,
  clusterIn,
  configText,
  dedalus,
  found,
  freshFolder,
  here,
  planIn,
  say,
  scene,
  startedIn,
  tokenIn,
} from "./stage.ts";
import { playTeam } from "./team.ts";

const fromMs = performance.now();
const folder = resolve(process.argv[2] ?? here("../../demo"));

process.env["HOME_PVE_OBSERVE"] = "dedalus@pve!observe=11111111-1111-4111-8111-111111111111";
process.env["HOME_PVE_APPLY"] = "dedalus@pve!apply=22222222-2222-4222-8222-222222222222";

const run = (exit: number, ...argv: readonly string[]): string => dedalus(folder, exit, argv);

const story = async (cluster: Cluster): Promise<void> => {
  writeFileSync(join(folder, "dedalus.yaml"), configText(cluster, "home", "single-operator"));
  say("", "$ export HOME_PVE_OBSERVE='dedalus@pve!observe=1111…' HOME_PVE_APPLY='dedalus@pve!apply=2222…'");
  run(0, "doctor", "--env", "home");

  scene("Say what should run, and see what differs.", "Observing and planning change nothing at the provider.");
  run(0, "register", "--env", "home", "desired.yaml");
  const drift = planIn(run(4, "plan", "--env", "home", "--out", "plan.json"));

  scene("A start is safe: read it, confirm what was read, and it is done once.");
  const start = challengeIn(run(0, "explain", drift, "--step", "1", "--challenge"));
  run(0, "apply", drift, "--step", "1", "--confirm", start, "--out", "result.json");

  scene("Production is not stopped, whoever asks.");
  run(3, "plan", "--env", "home", "--action", "stop", "--vm", "103");

  scene(
    "A node has died meanwhile, and what ran on it is unknown, not stopped.",
    "A plan for everything must know everything; a narrower one need not.",
  );
  run(3, "plan", "--env", "home");
  const narrowed = planIn(run(4, "plan", "--env", "home", "--only", "101,102,103,104,106"));

  scene("An apply is killed while the provider works on it.", "Nobody can know how it ended, so nobody says so.");
  const shown = asked(folder, ["explain", narrowed, "--step", "2", "--challenge"]);
  const second = found(shown, /"challenge":\{[^}]*"hash":"([0-9a-f]{64})"/);
  const isTaken = cluster.heard(/^GET \S*\/tasks\/UPID\S*qmstart%3A106%3A\S*\/status$/);
  const apply = startedIn(folder, ["apply", narrowed, "--step", "2", "--confirm", second]);
  const isGone = once(apply, "close");
  await Promise.race([isTaken, isGone.then(() => Promise.reject(new Error("it ended before it was killed")))]);
  const killedMs = performance.now();
  apply.kill("SIGKILL");
  await isGone;
  say("", `$ kill -9 ${apply.pid}`);
  run(0, "status");
  run(3, "reconcile", "--env", "home", "--vm", "106");
  run(5, "status");
  run(3, "apply", narrowed, "--step", "2", "--confirm", second);

  scene("An agent asks; a person decides.", "Its request waits for somebody else's approval.");
  const [robo, bob] = [tokenIn(folder, "robo", "agent"), tokenIn(folder, "bob", "approver")];
  const as = (name: string, token: string, exit: number, ...argv: readonly string[]): string =>
    dedalus(folder, exit, argv, {
      as: `DEDALUS_TOKEN=$${name} dedalus ${argv.join(" ")}`,
      env: { DEDALUS_TOKEN: token },
    });
  const resume = planIn(as("ROBO", robo, 4, "plan", "--env", "home", "--action", "resume", "--vm", "104"));
  as("ROBO", robo, 3, "apply", resume, "--step", "1");
  as("ROBO", robo, 0, "request-approval", resume, "--step", "1");
  as("BOB", bob, 0, "approve", resume, "--step", "1", "--reason", "agreed");
  // What the cluster writes while a command runs is read only when somebody waits for it.
  const resumed = cluster.heard(/^POST .*\/104\/status\/resume$/);
  as("ROBO", robo, 0, "apply", resume, "--step", "1");
  await resumed;

  await playTeam(folder, cluster);

  scene(
    "Back to the VM that is blocked: an observation ends the unknown, when it can no longer change.",
    "That is ten minutes after the apply. Nobody wants to wait here, so the demo sets the clocks of this one process and of",
    "the simulated cluster eleven minutes ahead by loading a file into both; Dedalus has no switch for that. Were it the",
    "clock of one of them alone, the observation would be refused.",
  );
  await pause(Math.max(0, SETTLED_MS - (performance.now() - killedMs)));
  const later = here("later.ts");
  cluster.later();
  dedalus(folder, 0, ["reconcile", "--env", "home", "--vm", "106"], {
    as: `NODE_OPTIONS=--import=${relative(folder, later)} dedalus reconcile --env home --vm 106`,
    env: { NODE_OPTIONS: `--import=${later}` },
  });
  run(0, "status");

  scene("Everything is in the ledger: it verifies, and every decision comes out the same again.");
  run(0, "replay");
  run(0, "ledger", "export", "--out", "audit");
  run(0, "ledger", "verify", "--export", "audit");
};

/** The task that the killed apply left behind takes four seconds. */
const SETTLED_MS = 7_000;

freshFolder(folder);
say("A control plane that does only what it can prove it should do, on a simulated Proxmox VE cluster.");
scene("A folder of its own: configuration, key, ledger, and a cluster to look at.");
dedalus(dirname(folder), 0, ["init", basename(folder), "--operator", "alice"]);
say("", `$ cd ${basename(folder)}`);
for (const name of ["desired.yaml", "cluster.yaml"]) copyFileSync(here(name), join(folder, name));
const cluster = await clusterIn(folder, "cluster.yaml");
try {
  await story(cluster);
  say("", "What changed something at the provider, as the provider saw it:");
  say(...cluster.calls().map((call) => `   ${call}`));
  if (cluster.calls().length !== 5) throw new Error(`${cluster.calls().length} calls, expected 5`);
} finally {
  await cluster.stop();
}
say(
  "",
  `Done in ${Math.round((performance.now() - fromMs) / 1_000)} s. Everything that was made is in ${relative(process.cwd(), folder)}/.`,
);
say("To go on with it: dedalus simulate --scenario cluster.yaml --port PORT, with the port of dedalus.yaml.");
