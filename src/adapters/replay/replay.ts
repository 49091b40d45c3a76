// The replay source: the recorded observation again, whole, whatever was wanted. Keeps N4.
//
// It reads no file and no clock; the text was parsed before (formats/current-json.ts). What the record does not hold
// stays unseen: nothing is asked of any provider.

import type { Observation } from "../../spine/model.ts";
import type { Source } from "../source.ts";

export const replaySource = (observation: Observation): Source => ({ observe: async () => observation });
