// Whom a serving process tells, joined with the service that it serves: the receivers of its configuration as it is
// written, and under which ids it writes.
//
// An edited configuration is taken up by another start, which is heard here; its receivers are taken up with it. While
// it cannot be used, those of before are told. Without receivers nothing is kept and nothing is followed. Links lead to
// where the door is reached, which an edit does not move. Not here: what is told, and how (webhooks/).

import type { SecretRef } from "../formats/dedalus/dedalus-guards.ts";
import type { Ulid } from "../ledger/record/record.ts";
import type { Configuration, Ports } from "../service/ports.ts";
import type { Service } from "../service/service.ts";
import type { Refusal } from "../spine/model.ts";
import { msOf } from "../spine/values/instant.ts";
import { bugPlace } from "./telemetry/bug-place.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";
import { type Deliveries, ledgerFeed, openDeliveries } from "./webhooks/deliveries.ts";
import { type OwnInstances, openInstances } from "./webhooks/own-instances.ts";
import type { Reached } from "./webhooks/webhook-message.ts";

export type ReceiversGiven = Pick<Reached, "approveCommand"> & {
  readonly configuration: Configuration;
  readonly ports: Pick<Ports, "clock" | "configured" | "ledger">;
  readonly secret: (ref: SecretRef) => string | Refusal;
  readonly telemetry: Telemetry;
};

export type ToldReceivers = {
  readonly begin: (service: Pick<Service, "records">) => Deliveries;
  /** Hears the id under which the process writes, before it answers anything. */
  readonly started: (instance: Ulid) => void;
};

export const toldReceivers = (given: ReceiversGiven): ToldReceivers => {
  const { approveCommand, configuration, ports, secret, telemetry } = given;
  const savedState = ports.ledger.savedState(configuration.config.ledger, configuration.home);
  const own: Ulid[] = [];
  let instances: OwnInstances | undefined;
  let deliveries: Deliveries | undefined;

  /** Ids are kept beside the ledger once somebody is told: what a crash leaves untold is told by the next process. */
  const keepOwn = (): void => {
    instances ??= openInstances(savedState, (error) =>
      telemetry.log("note", { cause: "instance-unwritten", said: bugPlace(error).said }),
    );
    for (const instance of own.splice(0)) instances.add(instance);
  };
  const takeUp = ({ config }: Configuration): void => {
    const { url: written, webhooks = [] } = config.service ?? {};
    const url = configuration.config.service?.url ?? written;
    if (webhooks.length > 0) keepOwn();
    void deliveries?.takeUp(url === undefined ? [] : webhooks, url ?? "");
  };
  return {
    begin: (service) => {
      deliveries = openDeliveries({
        approveCommand,
        feed: ledgerFeed(service),
        isOwn: (instance) => instances?.has(instance) === true,
        nowMs: () => msOf(ports.clock.now()),
        savedState,
        secret,
        telemetry,
      });
      takeUp(configuration);
      return deliveries;
    },
    started: (instance) => {
      own.push(instance);
      if (instances !== undefined) keepOwn();
      const read = ports.configured();
      if (read.kind === "ok") takeUp(read.value);
    },
  };
};
