// Writing a deed into the journal, at the place and time where it happened.

import type { Cause, Deed } from "./journal.ts";
import { nameIn, tagsIn } from "./settings.ts";
import type { SimulatedGuest, World } from "./world.ts";

export type DeedEffect = Pick<Deed, "effect" | "power">;

/** `guest` is the guest before the deed: the one that a rule would have had to protect. */
export const deed = (world: World, guest: SimulatedGuest, { effect, power }: DeedEffect, cause: Cause): World => {
  const { settings } = guest.file;
  const entry: Deed = {
    atMs: world.nowMs,
    cause,
    effect,
    kind: "deed",
    name: nameIn(settings, guest.kind, guest.vmid),
    power,
    serial: guest.serial,
    tags: tagsIn(settings),
    vmid: guest.vmid,
  };
  return { ...world, journal: [...world.journal, entry] };
};
