// An action as people call it: without the `vm.` that all of them begin with, and that records and JSON keep.
//
// Of one value that is an action. Never of a sentence: a VM or a folder may be called the same.

import { ACTION_KINDS } from "./actions.ts";

const PREFIX = "vm.";
const KINDS: ReadonlySet<string> = new Set(ACTION_KINDS);

/** What is no action is shown as it is. */
export const actionText = (action: string): string => (KINDS.has(action) ? action.slice(PREFIX.length) : action);
