// A real `dedalus serve` that is killed while a person applies, before the call left and when it had: the page says
// that it is not known, and a service that is started again completes nothing and repeats nothing.
//
// One cluster, one person and one page for all stories; each is of another VM.

import assert from "node:assert/strict";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { buildConsole } from "../../../tools/console/build-console.ts";
import { freePort } from "../../../tools/servers/free-port.ts";
import { ROOT } from "../../../tools/sources.ts";
import { keyed, type Person, personAt } from "../../boundary/approval/at-approval.ts";
import { cannot, type Objection } from "../../cannot.ts";
import { atCluster, type Cluster, THREE_NODES } from "../../live/cluster.ts";
import { type ServeProcess, startServe } from "../../live/serve-process.ts";
import { OPERATOR } from "../../service/serving.ts";
import { once, pageRead, stage } from "./rule-stage.ts";

/** When it is killed: at the first request that the provider answers after the press, by its method. */
type Killed = "GET" | "POST" | "never";
type Told = {
  /** What the page said while the service was gone. */
  readonly after: string;
  /** Calls that the provider had of it, until the end. */
  readonly calls: number;
  /** What the page says of the step when the service is there again. */
  readonly later: string;
};
type Stories = Readonly<Record<Killed, Told>>;

const VMS: Readonly<Record<Killed, { readonly name: string; readonly vmid: number }>> = {
  GET: { name: "batch-01", vmid: 102 },
  never: { name: "web-01", vmid: 101 },
  POST: { name: "cache-01", vmid: 105 },
};
const STOPPED = THREE_NODES.replaceAll(/(name: (?:batch|cache)-01, status: )running/g, "$1stopped");

type Scene = {
  readonly arm: (killed: Killed) => void;
  readonly cluster: Cluster;
  readonly olga: Person;
  readonly origin: string;
  readonly restart: () => Promise<void>;
  readonly serving: () => ServeProcess;
};

const planFor = async ({ olga: { context, csrf }, origin }: Scene, vmid: number): Promise<string> => {
  const reply = await context.request.post(`${origin}/v1/plans`, {
    data: { environment: "home", scope: [vmid] },
    headers: { "dedalus-csrf": await csrf(), "idempotency-key": keyed(OPERATOR).key ?? "" },
  });
  const { id } = (await reply.json()) as { readonly id?: string };
  return `${origin}/console/plans/${id ?? assert.fail(await reply.text())}/steps/1`;
};

const textOn = async (page: Page, url: string): Promise<string> => {
  await page.goto(url);
  await pageRead(page);
  return page.locator("main").innerText();
};

const tell = async (scene: Scene, killed: Killed): Promise<Told> => {
  const { arm, cluster, olga, restart, serving } = scene;
  const { page } = olga;
  const { name, vmid } = VMS[killed];
  const url = await planFor(scene, vmid);
  const callsBefore = cluster.mutations().length;
  const calls = (): number => cluster.mutations().length - callsBefore;
  await page.goto(url);
  await page.getByRole("button", { name: "Show what I would confirm" }).click();
  await page.getByText("It can be confirmed until").waitFor();
  arm(killed);
  await page.getByRole("button", { exact: true, name: `Start ${name} (VM ${vmid})` }).click();
  if (killed === "never") {
    await page.getByText("succeeded").waitFor();
    return { after: await page.locator("main").innerText(), calls: calls(), later: await textOn(page, url) };
  }
  await serving().ended();
  const ask = page.getByRole("button", { name: /Look it up again|Refresh/ }).last();
  await page.getByText(/Unknown\.|under way/).waitFor();
  await ask.click();
  await page.getByText("Unknown.").waitFor();
  const after = await page.locator("main").innerText();
  arm("never");
  await restart();
  const asked = page.waitForResponse(/\/v1\/(?:intents|keys)\//);
  await ask.click();
  await asked;
  return { after, calls: calls(), later: await textOn(page, url) };
};

const stories = once(async (): Promise<Stories> => {
  buildConsole(ROOT, join(ROOT, ".cache/console"));
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  let armed: Killed = "never";
  let serve: ServeProcess | undefined;
  const serving = (): ServeProcess => serve ?? assert.fail("it was started");
  let told: Stories | undefined;
  const work = async (cluster: Cluster): Promise<void> => {
    const { folder, value } = cluster;
    // Sessions outlive a process whose key is given.
    writeFileSync(join(folder, "secrets/sealing"), "0123456789abcdef0123456789abcdef", { mode: 0o600 });
    appendFileSync(
      join(folder, "dedalus.yaml"),
      `service: { listen: "127.0.0.1:${port}", url: "${origin}", sealingKey: { file: secrets/sealing } }\n`,
    );
    const { link } = await value<{ readonly link: string }>("invite", "olga", "--role", "operator");
    const restart = async (): Promise<void> => {
      serve = await startServe(folder);
    };
    await restart();
    const olga = await personAt(stage().browser, origin, "olga", link);
    const arm = (killed: Killed): void => {
      armed = killed;
    };
    const scene = { arm, cluster, olga, origin, restart, serving };
    try {
      const [GET, POST] = [await tell(scene, "GET"), await tell(scene, "POST")];
      told = { GET, never: await tell(scene, "never"), POST };
    } finally {
      await olga.context.close();
      if (serving().child.kill("SIGTERM")) await serving().ended();
    }
  };
  const onRequest = ({ method }: { readonly method: string }): void => {
    if (method === armed) serving().child.kill("SIGKILL");
  };
  await atCluster(work, { onRequest, scenario: STOPPED });
  return told ?? assert.fail("they came to an end");
});

/** An objection where the page says that it does not know. */
const isUnknown = (said: string): readonly Objection[] =>
  said.includes("Unknown.") && !said.includes("succeeded") ? [{ rule: "P7-E2" }] : [];

const notCompleted = ({ later }: Told): readonly Objection[] =>
  later.includes("Tried: succeeded") ? [] : [{ rule: "P7-F2" }];

for (const [killed, calls, when] of [
  ["GET", 0, "before the call left"],
  ["POST", 1, "when the call had left"],
] as const) {
  cannot("P7-E2", `show as done what was cut by a kill of the service ${when}`, {
    neighbour: async () => isUnknown((await stories()).never.after),
    offence: async () => isUnknown((await stories())[killed].after),
  });
  cannot("P7-F2", `complete or repeat by a restart what was cut by a kill of the service ${when}`, {
    neighbour: async () => {
      const { never } = await stories();
      assert.equal(never.calls, 1);
      return notCompleted(never);
    },
    offence: async () => {
      const told = (await stories())[killed];
      assert.equal(told.calls, calls);
      assert.deepEqual(told.later.match(/Tried: [a-z]+/g), ["Tried: unknown"]);
      return notCompleted(told);
    },
  });
}
