// Every guard that is tried.

import { DOOR_GUARDS } from "./door-guards.ts";
import type { Guard } from "./guard.ts";
import { KERNEL_GUARDS } from "./kernel-guards.ts";

export const GUARDS: readonly Guard[] = [...KERNEL_GUARDS, ...DOOR_GUARDS];
