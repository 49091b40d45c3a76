// A scenario asked from elsewhere, over a real HTTP door: one service for each story, which takes up the configuration
// of each question as it is edited, and a client that has a token and nothing of the ledger.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { serverAddressIn } from "../src/formats/client/server-address.ts";
import type { Service } from "../src/service/service.ts";
import { openRemote } from "../src/wire.ts";
import { atDesk } from "./cli/desk.ts";
import { serveCluster } from "./live/served-cluster.ts";
import type { Block } from "./scenario-file.ts";
import { askedIn } from "./scenario-service.ts";

const remoteAt = async (url: string, token: string): Promise<Service> => {
  const address = serverAddressIn(url);
  assert.ok(typeof address === "object");
  const opened = await openRemote({ address, home: ".", tls: { verify: "system" }, token, version: "0.0.0" });
  assert.ok("makePlan" in opened);
  return opened;
};

export const throughDoor = (blocks: readonly Block[]): Promise<readonly Block[]> =>
  atDesk({}, async (dedalus, folder) => {
    assert.equal((await dedalus("init", ".", "--operator", "alice")).code, 0);
    const made = await dedalus("token", "create", "--name", "olga", "--role", "operator", "--days", "1", "--json");
    const { stop, url } = await serveCluster(folder);
    try {
      const service = await remoteAt(url, JSON.parse(made.out).token);
      return await askedIn(folder, blocks, async (config, ask) => {
        writeFileSync(join(folder, "dedalus.yaml"), config);
        return ask(service);
      });
    } finally {
      await stop();
    }
  });
