// From wanted cpus and memory to PVE's own settings, or why that cannot be said unambiguously.
//
// cpus: where processors are plugged in (vcpus is set), their number becomes cpus; otherwise sockets stay as they are
// and every socket gets the same number of cores. What does not come out even is refused and not rounded, because two
// layouts would fit. memory: whole MiB, as PVE counts.

import { type Diagnostic, diagnostic } from "../../../spine/diagnostic-codes.ts";
import type { Action } from "../../../spine/model.ts";
import type { GuestRef } from "../api/names.ts";
import type { NewSizes } from "../api/sender.ts";
import { activeLayout, type ConfigSettings } from "../observe/guest-config.ts";

type Resize = Extract<Action, { readonly kind: "vm.resize" }>;
export type Resized =
  | { readonly kind: "sizes"; readonly sizes: NewSizes }
  | { readonly kind: "refused"; readonly why: Diagnostic };

const MIB = 1024 * 1024;
const refused = (why: Diagnostic): Resized => ({ kind: "refused", why });

export const resized = ({ cpus, memory }: Resize, settings: ConfigSettings, kind: GuestRef["kind"]): Resized => {
  if (memory !== undefined && memory % MIB !== 0) return refused(diagnostic("memory-not-whole", { facts: { memory } }));
  const memoryPart = memory === undefined ? {} : { memoryMib: memory / MIB };
  if (cpus === undefined) return { kind: "sizes", sizes: memoryPart };
  const processors = kind === "ct" ? { kind: "sizes" as const, sizes: { cores: cpus } } : laidOut(cpus, settings);
  return processors.kind === "refused" ? processors : { kind: "sizes", sizes: { ...processors.sizes, ...memoryPart } };
};

const laidOut = (cpus: number, settings: ConfigSettings): Resized => {
  const layout = activeLayout(settings);
  if (layout === undefined) return refused(diagnostic("layout-not-seen"));
  const { cores, sockets, vcpus } = layout;
  if (vcpus !== undefined) {
    return cpus <= cores * sockets
      ? { kind: "sizes", sizes: { vcpus: cpus } }
      : refused(diagnostic("cpus-too-many", { facts: { cores, cpus, sockets } }));
  }
  return cpus % sockets === 0
    ? { kind: "sizes", sizes: { cores: cpus / sockets } }
    : refused(diagnostic("cpus-uneven", { facts: { cpus, sockets } }));
};
