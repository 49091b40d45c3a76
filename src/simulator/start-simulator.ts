// startSimulator(): a scenario as a running HTTPS server on the loopback address.
//
//   const parsed = parseScenario(text, "three-nodes.yaml");                       // formats/scenario/scenario-yaml.ts
//   const simulator = await startSimulator({ scenario: scenarioOf(parsed.value), port: 0, clock: DRIVEN });
//   simulator.url, simulator.fingerprint, simulator.ca;                           // for a client
//   simulator.advance(30_000);                                                    // thirty virtual seconds pass
//   simulator.change({ kind: "node-dies", node: "pve2" });                        // somebody pulls a plug
//   simulator.world(), simulator.requests();                                      // the truth, and what was asked
//   await simulator.stop();

import type { AddressInfo } from "node:net";
import { providerOf } from "./ports/provider.ts";
import { type CertificateWords, makeCertificate } from "./pve/certificate.ts";
import { type Clock, type SimulatedRequest, serve } from "./pve/server.ts";
import type { Scenario } from "./scenario.ts";
import type { Change } from "./world/faults.ts";
import type { World } from "./world/world.ts";

/** Every request costs twenty virtual milliseconds, and nothing else moves the clock. */
export const DRIVEN: Clock = { kind: "driven", requestMs: 20 };

const LOOPBACK = "127.0.0.1";

export type SimulatorOptions = {
  readonly scenario: Scenario;
  /** 0 takes any free port. */
  readonly port: number;
  readonly clock: Clock;
  /** Told of each request when it is answered. */
  readonly onRequest?: (seen: SimulatedRequest) => void;
  /** For tests of clients: a certificate that is not valid yet, or no longer. */
  readonly validity?: Pick<CertificateWords, "notAfterMs" | "notBeforeMs">;
};

export type Simulator = {
  readonly url: string;
  /** SHA-256 of the certificate, with colons. */
  readonly fingerprint: string;
  /** The certificate itself, as PEM. */
  readonly ca: string;
  readonly stop: () => Promise<void>;
  /** So many virtual milliseconds pass. */
  readonly advance: (ms: number) => void;
  readonly change: (change: Change) => void;
  readonly world: () => World;
  /** Verbs and paths in the order in which they came, with the status that was answered. */
  readonly requests: () => readonly SimulatedRequest[];
};

export const startSimulator = async ({
  clock,
  onRequest,
  port,
  scenario,
  validity,
}: SimulatorOptions): Promise<Simulator> => {
  const { accounts, dialect, local, seed, version } = scenario;
  const certificate = makeCertificate({ node: local, seed, ...validity });
  const provider = providerOf(scenario.world);
  const { fingerprint } = certificate;
  const serving = serve(
    { accounts, dialect, fingerprint, local, seed, version },
    provider,
    clock,
    certificate,
    onRequest ?? (() => undefined),
  );
  const address = await new Promise<AddressInfo>((resolve, reject) => {
    serving.server.once("error", reject);
    serving.server.listen(port, LOOPBACK, () => {
      const bound = serving.server.address();
      if (bound === null || typeof bound === "string") reject(new Error("the server has no port"));
      else resolve(bound);
    });
  });
  return {
    advance: (ms) => provider.advance(provider.world().nowMs + ms),
    ca: certificate.cert,
    change: provider.change,
    fingerprint,
    requests: serving.seen,
    stop: serving.close,
    url: `https://${LOOPBACK}:${address.port}`,
    world: provider.world,
  };
};
