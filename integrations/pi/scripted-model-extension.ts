// Puts the scripted model into pi's coding agent, as provider `faux`, so that the extension can be driven without a
// model of anybody.

import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { scriptedModel } from "./scripted-model.ts";

// biome-ignore lint/style/noDefaultExport: pi takes an extension by its default export alone.
export default (pi: ExtensionAPI): void => pi.registerProvider(scriptedModel("careful").provider);
