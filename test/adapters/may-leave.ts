// For tests of what an actuator does with a call that nobody objects to.

import type { MayLeave } from "../../src/adapters/actuator.ts";

export const mayLeave: MayLeave = async () => true;
