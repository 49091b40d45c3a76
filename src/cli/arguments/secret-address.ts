// Whether a command line holds an address with its password. keeps B5
//
// Every word is asked, whichever option it stands at: a mistyped option, a folder and a reason are shown or recorded as
// they were written. So it is asked before anything else is made of the words, and the refusal names none of them.

import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";

/** scheme://user:password@host; a port and the @ of a path after it are no password. */
const USER_AND_PASSWORD = /[a-z][a-z0-9+.-]*:\/+[^\s/?#:@]*:(?!\d{1,5}(?:[/?#\s]|$))[^\s]*@/i;
/** scheme://host/path?password=… */
const SECRET_PARAMETER = /[a-z][a-z0-9+.-]*:\/+[^\s]*[?&;#][^=&\s]*(?:passw|pwd|token|secret|api.?key)[^=&\s]*=[^&\s]/i;

export const secretAddressRefusal = (argv: readonly string[]): Refusal | undefined =>
  argv.some((word) => USER_AND_PASSWORD.test(word) || SECRET_PARAMETER.test(word))
    ? refuse("secret-inline", { cause: "argument" })
    : undefined;
