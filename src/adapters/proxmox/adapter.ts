// proxmoxAdapter(): both sides of one Proxmox VE environment, joined for wire.ts.
//
// The source gets a handle that can only GET, with the token that observes; only the actuator gets one that sends, with
// the other token. Without a second token there is no acting side at all. Keeps N3, B5.

import type { ServerTrust } from "../../dial/trust.ts";
import { addressOf } from "../../dial/trust.ts";
import { diagnostic } from "../../spine/diagnostic-codes.ts";
import type { Instant, Vmid } from "../../spine/model.ts";
import { gap } from "../../spine/observed-codes.ts";
import { present } from "../../spine/values/present.ts";
import type { Actuator } from "../actuator.ts";
import type { Adapter } from "../descriptor.ts";
import type { Examine } from "../examination.ts";
import type { Inventory } from "../inventory.ts";
import type { Secret } from "../secret.ts";
import type { Source, Unanswered } from "../source.ts";
import { proxmoxActuator } from "./act/pve-actuator.ts";
import type { Sleep } from "./act/verdict.ts";
import { LIMITS, type Limits } from "./api/connection.ts";
import type { GuestRef } from "./api/names.ts";
import { type PveReader, readerOf } from "./api/pve-reader.ts";
import { type ApiToken, tokenOf } from "./api/pve-token.ts";
import { senderOf } from "./api/sender.ts";
import type { Credential } from "./examine/examine-cluster.ts";
import { type Progress, proxmoxSource } from "./observe/pve-source.ts";

export type ProxmoxOptions = {
  readonly apply?: Secret;
  readonly environment: string;
  readonly limits?: Limits;
  readonly now: () => Instant;
  readonly observe: Secret;
  readonly onProgress?: Progress;
  readonly onUnanswered?: Unanswered;
  readonly sleep: Sleep;
  readonly tls: ServerTrust;
  readonly url: string;
};

/** It can always be examined. */
export type ProxmoxAdapter = Adapter & { readonly examine: Examine };

export const proxmoxAdapter = (options: ProxmoxOptions): ProxmoxAdapter => {
  const { environment, limits = LIMITS, now, onProgress, onUnanswered, tls, url } = options;
  const address = addressOf(url);
  const endpoint = (token: ApiToken) => ({ limits, address, token, trust: tls });
  const credential = (secret: Secret | undefined): Credential => {
    const token = secret === undefined ? undefined : tokenOf(secret);
    if (token === undefined) return { kind: secret === undefined ? "none" : "malformed" };
    return { kind: "token", reader: readerOf(endpoint(token)), token };
  };
  const observe = credential(options.observe);
  const apply = credential(options.apply);
  const seen = new Map<Vmid, GuestRef>();
  // Loaded for `doctor` alone, which examines.
  const examine: Examine = async (wanted, signal) => {
    const { examineProvider } = await import("./examine/examine-cluster.ts");
    return examineProvider({ apply, connectMs: limits.connectMs, now, observe, address, trust: tls }, wanted, signal);
  };
  if (observe.kind !== "token") {
    // It could list with a token, so what is wrong is the token, and not what was asked for.
    const inventory: Inventory = async () => ({ kind: "unanswered", unseen: NOT_ASKED });
    return { examine, inventory, source: blind(environment, now, onUnanswered) };
  }
  const source = proxmoxSource({
    environment,
    now,
    ...present({ onProgress }),
    onSeen: (guest) => seen.set(guest.vmid, guest),
    ...present({ onUnanswered }),
    reader: observe.reader,
  });
  // Loaded for `import` alone, which lists.
  const inventory: Inventory = async (signal) => {
    const { listGuests } = await import("./list/list-guests.ts");
    return listGuests(observe.reader, source)(signal);
  };
  if (apply.kind === "none") return { examine, inventory, source };
  return {
    actuator: acting(options, observe.reader, apply, (vmid) => seen.get(vmid), endpoint),
    examine,
    inventory,
    source,
  };
};

const NOT_ASKED = gap("credential-unusable");
const NO_TOKEN = diagnostic("token-malformed");

const blind = (environment: string, now: () => Instant, onUnanswered: Unanswered | undefined): Source => ({
  observe: async () => {
    onUnanswered?.(NOT_ASKED);
    return { complete: false, environment, gaps: [NOT_ASKED], observedAt: now(), version: 1, vms: [] };
  },
});

const acting = (
  { environment, now, sleep }: ProxmoxOptions,
  observing: PveReader,
  apply: Exclude<Credential, { readonly kind: "none" }>,
  whereIs: (vmid: Vmid) => GuestRef | undefined,
  endpoint: (token: ApiToken) => Parameters<typeof senderOf>[0],
): Actuator => {
  if (apply.kind === "malformed") {
    return {
      send: async () => ({ diagnostics: [diagnostic("not-sent"), NO_TOKEN], kind: "failed" }),
      verdict: async () => ({ diagnostics: [NO_TOKEN], kind: "unknown" }),
    };
  }
  return proxmoxActuator({
    environment,
    observing,
    now,
    own: apply.reader,
    sender: senderOf(endpoint(apply.token)),
    sleep,
    tokenName: apply.token.name,
    whereIs,
  });
};
