// The one script of the pages, as it is served: a file beside this one, in the sources as in the package.

import { readFileSync } from "node:fs";

export const PASSKEY_SCRIPT = "/assets/passkey.js";

export const readPasskeyScript = (): string => readFileSync(new URL("./passkey.js", import.meta.url), "utf8");
