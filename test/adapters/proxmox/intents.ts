// Intents and actuators for the tests. Only the kernel makes real intents; these stand for them.

import type { Actuator, DurableIntent } from "../../../src/adapters/actuator.ts";
import { proxmoxActuator } from "../../../src/adapters/proxmox/act/pve-actuator.ts";
import { LIMITS, type Limits } from "../../../src/adapters/proxmox/api/connection.ts";
import type { GuestRef } from "../../../src/adapters/proxmox/api/names.ts";
import { readerOf } from "../../../src/adapters/proxmox/api/pve-reader.ts";
import { senderOf } from "../../../src/adapters/proxmox/api/sender.ts";
import { addressOf } from "../../../src/dial/trust.ts";
import type { Ulid } from "../../../src/ledger/record/record.ts";
import type { Diagnostic } from "../../../src/spine/diagnostic-codes.ts";
import type { Action, Instant, Sha256, VmState } from "../../../src/spine/model.ts";
import { DIGEST, NOW, TEST_TOKEN, vmid } from "./answers.ts";
import { type TestProvider, TOKEN_NAME } from "./provider.ts";

export const LATER = "2026-11-15T10:00:30.000Z" as Instant;
export const UPID = `UPID:pve1:000003F7:0002929E:6AFA32FB:qmstart:101:${TOKEN_NAME}:`;

const HASH = "0".repeat(64) as Sha256;

export const intentFor = (
  action: Action,
  seen: Partial<VmState> = {},
  more: Partial<DurableIntent> = {},
): DurableIntent =>
  ({
    environment: "home",
    id: "01JCQ0000000000000000000AA" as Ulid,
    seen: { kind: "vm", name: "vm-101", revision: DIGEST, source: "x", status: "stopped", vmid: vmid(101), ...seen },
    sendBy: LATER,
    settleBy: LATER,
    step: {
      action,
      applies: "now",
      basis: HASH,
      entry: HASH,
      facts: {},
      hash: HASH,
      kind: "step",
      name: "vm-101",
      power: "none",
      protected: false,
      reason: "asked",
      undo: "reversible",
      vmid: vmid(101),
    },
    ...more,
  }) as DurableIntent;

type Options = {
  readonly fingerprint?: string;
  readonly limits?: Limits;
  readonly now?: () => Instant;
  /** Called instead of waiting. */
  readonly slept?: (ms: number) => void;
  readonly where?: GuestRef | "not seen";
};

export const AT_PVE1 = { kind: "vm", node: "pve1", vmid: vmid(101) } as GuestRef;

export const actuatorFor = (provider: TestProvider, options: Options = {}): Actuator => {
  const {
    fingerprint = provider.certificate.fingerprint,
    limits = LIMITS,
    now = () => NOW,
    slept,
    where = AT_PVE1,
  } = options;
  const endpoint = {
    limits,
    address: addressOf(provider.url),
    token: TEST_TOKEN,
    trust: { sha256: fingerprint, verify: "pinned" },
  } as const;
  const reader = readerOf(endpoint);
  return proxmoxActuator({
    environment: "home",
    observing: reader,
    now,
    own: reader,
    sender: senderOf(endpoint),
    sleep: async (ms) => slept?.(ms),
    tokenName: TOKEN_NAME,
    whereIs: () => (where === "not seen" ? undefined : where),
  });
};

/** What is told of a call or a task, by its codes. */
export const codesOf = ({ diagnostics }: { readonly diagnostics: readonly Diagnostic[] }): string =>
  diagnostics.map(({ code }) => code).join(", ");
