// Which of PVE's refusals prove that nothing happened and nothing more will. keeps P7-F1
//
// Only these make an attempt failed; every other text may be half of something and leaves it unknown. They are texts
// that PVE writes before it has changed anything.

import type { Reply } from "./reply.ts";

type Refused = Extract<Reply, { readonly kind: "refused" }>;

/** Said before the work begins, in an answer or in a task. */
const BEFORE: readonly RegExp[] = [
  /^Configuration file '[^']*' does not exist/,
  /^(?:VM|CT) is locked \(/,
  /^(?:VM|CT) \d+ (?:not running|already running)/,
  /^VM is \S+ - cannot shutdown/,
  /^cluster not ready - no quorum\?/,
  /^checksum mismatch/,
  /^detected modified configuration/,
  /^you can't start a (?:vm|CT) if it's a template/,
  /^unable to use snapshot name/,
  /^snapshot name '[^']*' already used/,
  /^snapshot '[^']*' does not exist/,
  /^VM \d+ is running - destroy failed/,
  /protection mode enabled/,
  /used in HA resources/,
];

/** Only of an answer: it never reached a worker. */
const AT_ONCE: readonly RegExp[] = [
  /^no options specified/,
  /^hostname lookup '[^']*' failed/,
  /^can't lock file '[^']*' - got timeout/,
  /^unable to open file '\/etc\/pve\/[^']*' - Permission denied/,
];

const DENIED: readonly number[] = [401, 403, 501];

export const refusalProvesNothing = ({ isPve, status, text }: Refused): boolean => {
  if (!isPve) return false;
  if (DENIED.includes(status)) return true;
  // A hotplug that failed has left the other settings written.
  if (status === 400) return !/hotplug/i.test(text);
  return status === 500 && [...BEFORE, ...AT_ONCE].some((pattern) => pattern.test(text));
};

/** Tasks that take the file lock first and once, and do everything under it. */
const ONE_LOCK: readonly string[] = [
  "qmstart",
  "qmstop",
  "qmshutdown",
  "qmpause",
  "qmresume",
  "qmreset",
  "vzstart",
  "vzstop",
];

export const errorProvesNothing = (type: string, text: string): boolean =>
  BEFORE.some((pattern) => pattern.test(text)) ||
  (ONE_LOCK.includes(type) && /^can't lock file '[^']*' - got timeout/.test(text));
