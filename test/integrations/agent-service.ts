// What agents' programs are run against: a real `dedalus serve` of a simulated cluster that needs four eyes, an agent's
// token, and two people who read what is asked of them and approve: one by HTTP, one on the page.

import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { type Person, personBy } from "../../examples/demo/person.ts";
import { ulids } from "../../src/ids.ts";
import { freePort } from "../../tools/servers/free-port.ts";
import { ROOT } from "../../tools/sources.ts";
import { atCluster, type Cluster, type Explained } from "../live/cluster.ts";
import { startServe } from "../live/serve-process.ts";

export type AgentService = Cluster & {
  /** Approves the explanation of a step, as the person read it. */
  readonly approve: (plan: string, step: number) => Promise<void>;
  /** Opens the address, reads the page, and presses Approve. */
  readonly approveAt: (url: string) => Promise<void>;
  /** Where the service is and who asks, as a program is told by its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The provider's calls that changed a VM, each as its last words. */
  readonly performed: () => readonly string[];
};

const newKey = ulids();

const serviceText = (port: number): string => `service:
  listen: 127.0.0.1:${port}
  url: http://localhost:${port}
`;

export const serveAgents = (work: (service: AgentService) => Promise<void>): Promise<void> =>
  atCluster(
    async (cluster) => {
      const tokenOf = async (name: string, role: string): Promise<string> => {
        const words = ["token", "create", "--name", name, "--role", role, "--days", "2"];
        return (await cluster.value<{ readonly token: string }>(...words)).token;
      };
      const [robo, bob] = [await tokenOf("robo", "agent"), await tokenOf("bob", "approver")];
      const port = await freePort();
      appendFileSync(join(cluster.folder, "dedalus.yaml"), serviceText(port));
      const { link } = await cluster.value<{ readonly link: string }>("invite", "dana", "--role", "approver");
      const { child, ended, url } = await startServe(cluster.folder);
      const approve: AgentService["approve"] = async (plan, step) => {
        const path = `${url}/v1/plans/${plan}/steps/${step}`;
        const authorization = `Bearer ${bob}`;
        const shown = await fetch(`${path}/explanation`, { headers: { authorization } });
        assert.equal(shown.status, 200, await shown.clone().text());
        const { explanation } = (await shown.json()) as Explained;
        const reply = await fetch(`${path}/approvals`, {
          body: JSON.stringify({ explanation: explanation.hash, reason: "agreed with the owner" }),
          headers: { authorization, "content-type": "application/json", "idempotency-key": newKey() },
          method: "POST",
        });
        assert.equal(reply.status, 201, await reply.text());
      };
      let dana: Promise<Person> | undefined;
      const approveAt: AgentService["approveAt"] = async (address) => {
        dana ??= personBy(link);
        const { after } = await (await dana).decide(address, "approvals", "it is needed again");
        assert.match(after, /Status approved/);
      };
      try {
        await work({
          ...cluster,
          approve,
          approveAt,
          env: { DEDALUS: join(ROOT, "bin/dedalus"), DEDALUS_SERVER: url, DEDALUS_TOKEN: robo, ENVIRONMENT: "home" },
          performed: () => cluster.mutations().map((call) => call.replace(/^POST .*\/qemu\//, "")),
        });
      } finally {
        child.kill("SIGTERM");
        assert.equal(await ended(), 0);
      }
    },
    { approval: "four-eyes" },
  );
