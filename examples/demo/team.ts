// The part of the demo with two people: an environment that needs four eyes, served to both, and nobody who decides alone.
//
// Whoever has the ledger's files could be both pairs of eyes, so such an environment is changed through a service alone.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asked, type Cluster, dedalus, found, say, scene, servedIn } from "./stage.ts";

const configText = ({ fingerprint, url }: Cluster): string => `version: 1
operator: alice
ledger: { engine: sqlite, path: ledger/dedalus.db }
anchor: anchor/checkpoints.txt
signingKey: keys/ledger.key
environments:
  lab:
    adapter: proxmox
    url: ${url}
    tls: { verify: pinned, sha256: "${fingerprint}" }
    credentials:
      observe: { env: HOME_PVE_OBSERVE }
      apply: { env: HOME_PVE_APPLY }
    approval: four-eyes
    maxObservationAge: 60 s
    desired: desired.yaml
`;
const DESIRED = `version: 1
environment: lab
vms:
  - { vmid: 102, name: web-02, target: running }
`;

export const playTeam = async (above: string, cluster: Cluster): Promise<void> => {
  scene("Two people, four eyes: whoever asks does not approve.", "Both ask a service; neither has the ledger's files.");
  dedalus(above, 0, ["init", "team", "--operator", "alice"]);
  const folder = join(above, "team");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "dedalus.yaml"), configText(cluster));
  writeFileSync(join(folder, "desired.yaml"), DESIRED);
  say("", "$ cd team");
  dedalus(folder, 0, ["register", "--env", "lab", "desired.yaml"]);
  const tokenOf = (name: string, role: string): string => {
    const words = ["token", "create", "--name", name, "--role", role, "--days", "30"];
    say("", `$ dedalus ${words.join(" ")}      # shown once, kept in $${name.toUpperCase()}`);
    return found(asked(folder, words), /"token":"(dedalus_[\w-]+)"/);
  };
  const [bob, carol] = [tokenOf("bob", "operator,approver"), tokenOf("carol", "approver")];
  const service = await servedIn(folder);
  const as = (name: string, token: string, exit: number, ...argv: readonly string[]): string =>
    dedalus(above, exit, [...argv, "--server", service.url], {
      as: `DEDALUS_TOKEN=$${name} dedalus ${argv.join(" ")} --server ${service.url}`,
      env: { DEDALUS_TOKEN: token },
    });
  try {
    const printed = as("BOB", bob, 4, "plan", "--env", "lab", "--action", "stop", "--vm", "102");
    const plan = found(printed, /^plan ([0-9A-Z]{26})$/m);
    as("BOB", bob, 3, "approve", plan, "--step", "1", "--reason", "mine");
    as("CAROL", carol, 0, "approve", plan, "--step", "1", "--reason", "agreed");
    const shown = as("BOB", bob, 0, "explain", plan, "--step", "1", "--challenge");
    as("BOB", bob, 0, "apply", plan, "--step", "1", "--confirm", found(shown, /--confirm ([0-9a-f]{64})/));
  } finally {
    await service.stop();
  }
};
