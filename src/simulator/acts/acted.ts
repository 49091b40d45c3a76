// What an act gives back, and the one way in which an act writes a configuration.

import type { ConfigFile } from "../world/guest-file.ts";
import type { SimulatedTask } from "../world/tasks.ts";
import { unwritableText } from "../world/unwritable.ts";
import { isQuorate, type SimulatedGuest, type World, withGuest } from "../world/world.ts";
import { type DeedEffect, deed } from "../world/write-deed.ts";

export type Acted =
  | { readonly kind: "done"; readonly world: World; readonly log?: readonly string[] }
  | { readonly kind: "error"; readonly text: string };
export type On = { readonly world: World; readonly guest: SimulatedGuest; readonly task: SimulatedTask };

export const done = (world: World): Acted => ({ kind: "done", world });
export const error = (text: string): Acted => ({ kind: "error", text });

/** The cluster's file system takes no write without quorum. */
export const write = (
  { guest, task, world }: On,
  file: ConfigFile,
  deeds: DeedEffect,
  rest: Partial<SimulatedGuest> = {},
): Acted =>
  isQuorate(world)
    ? done(deed(withGuest(world, { ...guest, ...rest, file }), guest, deeds, task.cause))
    : error(unwritableText(guest, task.pid));
