// Actions as people call them: without the `vm.` that all of them begin with, and that records and JSON keep.

import { ACTION_KINDS } from "../../spine/rules/actions.ts";

const PREFIX = "vm.";
const KINDS = new RegExp(`(?<![\\w.])(?:${ACTION_KINDS.join("|").replaceAll(".", "\\.")})(?![\\w.]*\\w)`, "g");

/** In a sentence, wherever one stands. */
export const plainActions = (text: string): string => text.replace(KINDS, (kind) => kind.slice(PREFIX.length));
