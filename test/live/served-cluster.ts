// The service of a simulated cluster behind the real HTTP door, on a port of its own; and a desk elsewhere, in a folder
// without any configuration, that asks it.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDoor } from "../../src/boundary/http/door.ts";
import { ownNames } from "../../src/boundary/http/request-head.ts";
import { parseConfig } from "../../src/formats/dedalus/dedalus-yaml.ts";
import type { Parsed } from "../../src/formats/problem.ts";
import { ulids } from "../../src/ids.ts";
import type { Configuration, Ports } from "../../src/service/ports.ts";
import { openReloadingService } from "../../src/service/reloading-service.ts";
import { known, servicePorts } from "../../src/wire.ts";

export type ServedCluster = { readonly stop: () => Promise<void>; readonly url: string };

const configuredIn = (folder: string): Parsed<Configuration> => {
  const parsed = parseConfig(readFileSync(join(folder, "dedalus.yaml"), "utf8"), "dedalus.yaml", known);
  if (parsed.kind === "bad") return parsed;
  return { kind: "ok", value: { config: parsed.value, file: "dedalus.yaml", home: folder, policies: new Map() } };
};

export const serveCluster = async (folder: string, onFailure = (error: unknown) => assert.fail(String(error))) => {
  const configured = configuredIn(folder);
  assert.equal(configured.kind, "ok");
  const ports: Ports = {
    ...servicePorts(),
    configured: () => configuredIn(folder),
    hears: { note: () => undefined, recovered: () => undefined },
    version: "0.0.0",
  };
  const service = openReloadingService(configured.value, ports);
  assert.equal(await service.begin(), undefined);
  const door = openDoor({
    findingWords: ({ check, code }) => ({ detail: code, title: check }),
    isEnding: () => false,
    monotonicMs: () => performance.now(),
    names: () => ownNames("127.0.0.1", port, false, undefined),
    newId: ulids(),
    openapi: "{}",
    service,
    telemetry: { failed: onFailure, happened: () => undefined },
  });
  await door.listen({ host: "127.0.0.1", port: 0 });
  const { port } = door.server.address() as AddressInfo;
  return {
    stop: async () => {
      door.server.closeAllConnections();
      await door.close();
      await service.close();
    },
    url: `http://127.0.0.1:${port}`,
  };
};

/** A folder that has nothing in it, and no client configuration either. */
export const emptyFolder = (): { readonly folder: string; readonly remove: () => void } => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-elsewhere-"));
  return { folder, remove: () => rmSync(folder, { force: true, recursive: true }) };
};
