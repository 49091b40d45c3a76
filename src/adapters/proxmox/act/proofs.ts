// Which of PVE's refusals prove that nothing happened and nothing more will. keeps P7-F1
//
// Some texts PVE writes before it has changed anything. Others prove it only together with an observation that shows
// the VM untouched, which the kernel makes: an answer of the API that died before a worker began, and the error of a
// task that is over. Every other text may be half of something and leaves it unknown.
// Each text names the source it was taken from: qemu-server 9.2.6, pve-container 6.1.10, pve-guest-common 6.0.2,
// pve-cluster 9.1.6, pve-common 9.2.1, pve-storage (src/PVE/Storage.pm).

import type { PveReply } from "../api/pve-reply.ts";

type Refused = Extract<PveReply, { readonly kind: "refused" }>;

/** The lock of a guest's configuration; the one of the task list is waited for when a worker has begun already. */
// pve-common src/PVE/Tools.pm, lock_file_full; the folders: qemu-server src/PVE/QemuConfig.pm, pve-container
// src/PVE/LXC/Config.pm
const GUEST_LOCK = /^can't lock file '(?:\/var\/lock\/qemu-server|\/run\/lock\/lxc)\/[^']*' - got timeout/;

const SNAPSHOT_ABSENT = /^snapshot '[^']*' does not exist/;

/** Said before the work begins, in an answer or in a task. */
const BEFORE: readonly RegExp[] = [
  /^Configuration file '[^']*' does not exist/, // pve-guest-common src/PVE/AbstractConfig.pm, load_config
  /^(?:VM|CT) is locked \(/, // pve-guest-common src/PVE/AbstractConfig.pm, check_lock
  // qemu-server src/PVE/API2/Qemu.pm, src/PVE/QemuServer.pm; pve-container src/PVE/API2/LXC/Status.pm
  /^(?:VM|CT) \d+ (?:not running|already running)/,
  /^VM is \S+ - cannot shutdown/, // qemu-server src/PVE/API2/Qemu.pm, vm_shutdown and vm_reboot
  /^cluster not ready - no quorum\?/, // pve-cluster src/PVE/Cluster.pm, check_cfs_quorum
  /^checksum mismatch/, // qemu-server src/PVE/API2/Qemu.pm, update_vm_api
  /^detected modified configuration/, // pve-common src/PVE/Tools.pm, assert_if_modified
  // qemu-server src/PVE/QemuServer.pm; pve-container src/PVE/API2/LXC/Status.pm
  /^you can't start a (?:vm|CT) if it's a template/,
  /^unable to use snapshot name/, // qemu-server src/PVE/API2/Qemu.pm; pve-container src/PVE/API2/LXC/Snapshot.pm
  /^snapshot name '[^']*' already used/, // pve-guest-common src/PVE/AbstractConfig.pm, __snapshot_prepare
  SNAPSHOT_ABSENT, // pve-guest-common src/PVE/AbstractConfig.pm, snapshot_delete and snapshot_rollback
  /^VM \d+ is running - destroy failed/, // qemu-server src/PVE/API2/Qemu.pm, destroy_vm
  /protection mode enabled/, // pve-guest-common src/PVE/AbstractConfig.pm, check_protection
  /used in HA resources/, // qemu-server src/PVE/API2/Qemu.pm; pve-container src/PVE/API2/LXC.pm
];

/** Only of an answer: it never reached a worker. */
const AT_ONCE: readonly RegExp[] = [
  /^no options specified/, // qemu-server src/PVE/API2/Qemu.pm, update_vm_api
  /^hostname lookup '[^']*' failed/, // pve-common src/PVE/Network.pm, get_ip_from_hostname
  GUEST_LOCK,
  // pve-common src/PVE/File.pm, file_set_contents, without quorum
  /^unable to open file '\/etc\/pve\/[^']*' - Permission denied/,
];

const DENIED: readonly number[] = [401, 403, 501];

export const refusalProvesNothing = ({ isPve, status, text }: Refused): boolean => {
  if (!isPve) return false;
  if (DENIED.includes(status)) return true;
  // A hotplug that failed has left the other settings written: qemu-server src/PVE/QemuServer.pm,
  // vmconfig_hotplug_pending.
  if (status === 400) return !/hotplug/i.test(text);
  return status === 500 && [...BEFORE, ...AT_ONCE].some((pattern) => pattern.test(text));
};

/**
 * PVE forks its worker last (pve-common src/PVE/RESTEnvironment.pm, fork_worker), so an API that answers with an error
 * has none, but for what it writes of the worker's own place in the task list. A timeout may be of anything.
 */
const MAY_HAVE_BEGUN = /\/var\/log\/pve\/tasks|time(?:d )?out|interrupt|signal/i;

/** An error of the API itself, after which no worker of the call is there and none will be. */
export const isAnswered = ({ isApi, status, text }: Refused): boolean =>
  isApi && (status === 400 || status === 500) && !MAY_HAVE_BEGUN.test(text);

/**
 * Tasks that take the file lock first and once, and do everything under it: qemu-server src/PVE/QemuServer.pm,
 * pve-container src/PVE/API2/LXC/Status.pm.
 */
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

/**
 * Tasks that ask for the snapshot once more when its volumes are made or gone, and may miss it only then:
 * pve-guest-common src/PVE/AbstractConfig.pm, __snapshot_commit and the end of snapshot_delete.
 */
const ASK_AGAIN: readonly string[] = ["qmdelsnapshot", "qmsnapshot", "vzdelsnapshot", "vzsnapshot"];

const isAskedLate = (type: string, text: string): boolean => ASK_AGAIN.includes(type) && SNAPSHOT_ABSENT.test(text);

export const errorProvesNothing = (type: string, text: string): boolean =>
  (!isAskedLate(type, text) && BEFORE.some((pattern) => pattern.test(text))) ||
  (ONE_LOCK.includes(type) && GUEST_LOCK.test(text));

/**
 * Tasks whose work shows in what an observation shows, so that one that is over with an error, and a VM that is
 * untouched, have done nothing: they write the configuration, or stop or start its process, before anything else that
 * stays (pve-guest-common src/PVE/AbstractConfig.pm; qemu-server src/PVE/API2/Qemu.pm). Not those that ask the guest or
 * its monitor, which may still obey, nor a deletion, whose disks no observation shows.
 */
const SHOWN: readonly string[] = [
  "qmconfig",
  "qmdelsnapshot",
  "qmrollback",
  "qmstart",
  "vzdelsnapshot",
  "vzrollback",
  "vzstart",
];

/**
 * Said when a storage is activated, before a volume of it is touched: pve-storage src/PVE/Storage.pm, activate_storage.
 */
const STORAGE_OFFLINE = /^storage '[^']*' is not online$/;
/** A snapshot that failed half way removes what it made, and does not tell what it could not remove. */
const WITH_STORAGE: readonly string[] = ["qmsnapshot", "vzsnapshot"];

/** Whether the error of a task that is over leaves nothing, if an observation shows the VM untouched. */
export const errorLeavesNothing = (type: string, text: string): boolean =>
  (SHOWN.includes(type) && !MAY_HAVE_BEGUN.test(text)) || (WITH_STORAGE.includes(type) && STORAGE_OFFLINE.test(text));
