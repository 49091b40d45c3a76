// Every mutant that is known to be equivalent, room by room.

import type { Equivalent } from "./equivalent.ts";
import { SPINE } from "./equivalents/spine.ts";

export const EQUIVALENTS: readonly Equivalent[] = [...SPINE];
