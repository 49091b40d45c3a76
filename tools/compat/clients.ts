// Clients that others wrote, from Debian's packages, on the simulator: python3-proxmoxer, and Ansible's modules.
//
// Nothing is installed without being asked: COMPAT_INSTALL=1 lets apt bring what is missing. The simulator's clock is
// driven, and each request costs more than the ten seconds between two reports of a node: Ansible believes the
// cluster's list, so at once after a start it would start again, as it does on the real place.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseScenario } from "../../src/formats/scenario/scenario-yaml.ts";
import { scenarioOf } from "../../src/simulator/scenario.ts";
import { startSimulator } from "../../src/simulator/start-simulator.ts";

const PYTHON = "/usr/bin/python3"; // Debian's own, which sees Debian's packages
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export type ClientRun = {
  readonly name: string;
  readonly status: "failed" | "missing" | "passed";
  readonly said: string;
};

type Client = {
  readonly name: string;
  readonly packages: readonly string[];
  readonly probe: readonly [string, readonly string[]];
  readonly run: (port: string, ca: string) => readonly [string, readonly string[]];
};

const CLIENTS: readonly Client[] = [
  {
    name: "python3-proxmoxer",
    packages: ["python3-proxmoxer", "python3-requests"],
    probe: [PYTHON, ["-c", "import proxmoxer, requests"]],
    run: (port, ca) => [PYTHON, [here("clients/proxmoxer-client.py"), "127.0.0.1", port, ca]],
  },
  {
    name: "ansible proxmox_kvm",
    packages: ["ansible", "python3-proxmoxer", "python3-requests"],
    probe: ["/usr/bin/ansible-doc", ["-t", "module", "community.general.proxmox_kvm"]],
    run: (port) => [
      "/usr/bin/ansible-playbook",
      [
        "-i",
        "localhost,",
        "-c",
        "local",
        "-e",
        `ansible_python_interpreter=${PYTHON} api_host=127.0.0.1:${port}`,
        here("clients/playbook.yml"),
      ],
    ],
  },
];

const isThere = ({ probe: [command, args] }: Client): boolean =>
  spawnSync(command, args, { stdio: "ignore" }).status === 0;

const install = ({ packages }: Client): void => {
  spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages], {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    stdio: "inherit",
  });
};

const ended = (
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ code: number; said: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (said += chunk.toString("utf8")));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, said }));
  });

const runOne = async (client: Client, folder: string): Promise<ClientRun> => {
  if (!isThere(client) && process.env["COMPAT_INSTALL"] === "1") install(client);
  if (!isThere(client)) {
    const said = `apt-get install ${client.packages.join(" ")}, or COMPAT_INSTALL=1 to let make compat do it`;
    return { name: client.name, said, status: "missing" };
  }
  const file = here("../../examples/three-nodes.yaml");
  const parsed = parseScenario(readFileSync(file, "utf8"), file);
  if (parsed.kind === "bad") throw new Error(JSON.stringify(parsed.problems));
  const clock = { kind: "driven", requestMs: 12_000 } as const;
  const simulator = await startSimulator({ clock, port: 0, scenario: scenarioOf(parsed.value) });
  try {
    const ca = join(folder, "ca.pem");
    writeFileSync(ca, simulator.ca);
    const [command, args] = client.run(new URL(simulator.url).port, ca);
    const env = {
      ...process.env,
      ANSIBLE_LOCAL_TEMP: folder,
      ANSIBLE_NOCOLOR: "1",
      HOME: folder,
      REQUESTS_CA_BUNDLE: ca,
    };
    const { code, said } = await ended(command, args, env);
    return { name: client.name, said, status: code === 0 ? "passed" : "failed" };
  } finally {
    await simulator.stop();
  }
};

export const runClients = async (): Promise<readonly ClientRun[]> => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-compat-"));
  try {
    const runs: ClientRun[] = [];
    for (const client of CLIENTS) runs.push(await runOne(client, folder));
    return runs;
  } finally {
    rmSync(folder, { force: true, recursive: true });
  }
};
