// The part of the demo with two people: an environment that needs four eyes, served to both, and nobody who decides alone.
// Then an agent asks the same service, and a third person decides on a page.
//
// Whoever has the ledger's files could be both pairs of eyes, so such an environment is changed through a service alone.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../tools/servers/free-port.ts";
import { playMcpAgent } from "./mcp-agent.ts";
import { type Cluster, challengeIn, configText, dedalus, planIn, say, scene, servedIn, tokenIn } from "./stage.ts";

const DESIRED = `version: 1
environment: lab
vms:
  - { vmid: 102, name: web-02, target: running }
`;
/** People open pages by this address, and set passkeys for it. */
const serviceText = (port: number): string => `service:
  listen: 127.0.0.1:${port}
  url: http://localhost:${port}
`;

export const playTeam = async (above: string, cluster: Cluster): Promise<void> => {
  scene("Two people, four eyes: whoever asks does not approve.", "Both ask a service; neither has the ledger's files.");
  dedalus(above, 0, ["init", "team", "--operator", "alice"]);
  const folder = join(above, "team");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "dedalus.yaml"), configText(cluster, "lab", "four-eyes") + serviceText(await freePort()));
  writeFileSync(join(folder, "desired.yaml"), DESIRED);
  say("", "$ cd team");
  dedalus(folder, 0, ["register", "--env", "lab", "desired.yaml"]);
  const [bob, carol] = [tokenIn(folder, "bob", "operator,approver"), tokenIn(folder, "carol", "approver")];
  const service = await servedIn(folder);
  const as = (name: string, token: string, exit: number, ...argv: readonly string[]): string =>
    dedalus(above, exit, [...argv, "--server", service.url], {
      as: `DEDALUS_TOKEN=$${name} dedalus ${argv.join(" ")} --server ${service.url}`,
      env: { DEDALUS_TOKEN: token },
    });
  try {
    const plan = planIn(as("BOB", bob, 4, "plan", "--env", "lab", "--action", "stop", "--vm", "102"));
    as("BOB", bob, 3, "approve", plan, "--step", "1", "--reason", "mine");
    as("CAROL", carol, 0, "approve", plan, "--step", "1", "--reason", "agreed");
    const shown = as("BOB", bob, 0, "explain", plan, "--step", "1", "--challenge");
    as("BOB", bob, 0, "apply", plan, "--step", "1", "--confirm", challengeIn(shown));
    await playMcpAgent(service.url, tokenIn(folder, "robo", "agent"), (...words) => dedalus(folder, 0, words));
  } finally {
    await service.stop();
  }
};
