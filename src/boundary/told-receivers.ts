// Whom a serving process tells, joined with the service that it serves: the receivers of its configuration, and under
// which ids it writes.
//
// Without receivers nothing is kept and nothing is followed. They are those of the configuration that the process
// began with. Not here: what is told, and how (webhooks/).

import type { SecretRef } from "../formats/dedalus/dedalus-guards.ts";
import type { Ulid } from "../ledger/record/record.ts";
import type { Configuration, Ports } from "../service/ports.ts";
import type { Service } from "../service/service.ts";
import type { Refusal } from "../spine/model.ts";
import { msOf } from "../spine/values/instant.ts";
import { bugPlace } from "./telemetry/bug-place.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";
import { type Deliveries, ledgerFeed, openDeliveries } from "./webhooks/deliveries.ts";
import { openInstances } from "./webhooks/own-instances.ts";
import type { Reached } from "./webhooks/webhook-message.ts";

export type ReceiversGiven = Pick<Reached, "approveCommand"> & {
  readonly configuration: Configuration;
  readonly ports: Pick<Ports, "clock" | "ledger">;
  readonly secret: (ref: SecretRef) => string | Refusal;
  readonly telemetry: Telemetry;
};

export type ToldReceivers = {
  readonly begin: (service: Pick<Service, "records">) => Deliveries;
  /** Hears the id under which the process writes, before it answers anything. */
  readonly started: (instance: Ulid) => void;
};

const NOBODY: ToldReceivers = {
  begin: () => ({ close: async () => undefined, positions: () => new Map() }),
  started: () => undefined,
};

export const toldReceivers = (given: ReceiversGiven): ToldReceivers => {
  const { approveCommand, configuration, ports, secret, telemetry } = given;
  const { config, home } = configuration;
  const { url, webhooks = [] } = config.service ?? {};
  if (webhooks.length === 0 || url === undefined) return NOBODY;
  const savedState = ports.ledger.savedState(config.ledger, home);
  const instances = openInstances(savedState, (error) =>
    telemetry.log("note", { cause: "instance-unwritten", said: bugPlace(error).said }),
  );
  return {
    begin: (service) =>
      openDeliveries({
        feed: ledgerFeed(service),
        isOwn: instances.has,
        nowMs: () => msOf(ports.clock.now()),
        reached: { approveCommand, url },
        savedState,
        secret,
        telemetry,
        webhooks,
      }),
    started: instances.add,
  };
};
