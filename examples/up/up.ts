// make up: a service with its console on a simulated cluster, two people who can sign in, and an agent that has asked for
// something; until Ctrl-C.
//
//   node examples/up/up.ts [FOLDER]      keeps what it makes in FOLDER (default: up/), which each start replaces
//
// People sign in at an OpenID provider of its own, by saying who they are: nothing here is for anybody else's use.

import { copyFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../../tools/servers/free-port.ts";
import { CLIENT, startOpenIdProvider } from "../../tools/servers/openid-provider.ts";
import { asked, clusterIn, configText, dedalus, freshFolder, say, servedIn, tokenIn } from "../demo/stage.ts";

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const folder = resolve(process.argv[2] ?? here("../../up"));
const PEOPLE = { finn: { groups: ["sre"], name: "finn" }, olga: { groups: ["sre"], name: "olga" } };

const serviceText = (port: number, issuer: string): string => `service:
  listen: 127.0.0.1:${port}
  url: http://localhost:${port}
  oidc:
    issuer: ${issuer}
    clientId: ${CLIENT.id}
    clientSecret: { env: UP_CLIENT_SECRET }
    groups:
      sre: { roles: [operator, approver, auditor], environments: all }
`;

process.env["HOME_PVE_OBSERVE"] = "dedalus@pve!observe=11111111-1111-4111-8111-111111111111";
process.env["HOME_PVE_APPLY"] = "dedalus@pve!apply=22222222-2222-4222-8222-222222222222";
process.env["UP_CLIENT_SECRET"] = CLIENT.secret;

/** The agent observes everything and asks for two steps, so that there is something to see, and something waits. */
const askAsAgent = (url: string, token: string): void => {
  const env = { DEDALUS_SERVER: url, DEDALUS_TOKEN: token };
  asked(folder, ["observe", "--env", "home"], env);
  for (const vmid of ["101", "103"]) {
    const action = vmid === "101" ? "start" : "shutdown";
    const { id } = JSON.parse(asked(folder, ["plan", "--env", "home", "--action", action, "--vm", vmid], env));
    asked(folder, ["request-approval", id, "--step", "1"], env);
  }
};

freshFolder(folder);
const ending = new Promise<void>((end) => {
  process.once("SIGINT", () => end());
  process.once("SIGTERM", () => end());
});
const cluster = await clusterIn(folder, here("cluster.yaml"));
const port = await freePort();
const provider = await startOpenIdProvider(PEOPLE, [`http://localhost:${port}/sign-in/callback`]);
dedalus(folder, 0, ["init", ".", "--operator", "alice"]);
writeFileSync(
  join(folder, "dedalus.yaml"),
  `${configText(cluster, "home", "four-eyes")}${serviceText(port, provider.issuer)}`,
);
copyFileSync(here("desired.yaml"), join(folder, "desired.yaml"));
dedalus(folder, 0, ["register", "--env", "home", "desired.yaml"]);
const { key }: { readonly key: string } = JSON.parse(asked(folder, ["ledger", "prove", "0"]));
const robo = tokenIn(folder, "robo", "agent");
const service = await servedIn(folder);
askAsAgent(service.url, robo);
say(
  "",
  `Open http://localhost:${port}/console/ and sign in as olga or finn, with any password.`,
  "Both may ask, approve and apply; neither approves what they asked for themselves.",
  "An agent, robo, has asked to start web-01 and to shut down batch-01: see Approvals.",
  `To prove what you read, paste the ledger's public key into Ledger, Verify: ${key}`,
  "Ctrl-C ends it.",
);
await ending;
await service.stop();
await provider.close();
await cluster.stop();
