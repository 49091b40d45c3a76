// A node's list of tasks: what is at work on a guest, and which entry could be the answer that was lost.
//
// A console is a task too; only tasks that act on a guest count.

import { isObject } from "../../../formats/json/json-shape.ts";
import type { Vmid } from "../../../spine/model.ts";
import { type PveTask, parseUpid } from "../api/names.ts";

type Entry = { readonly isRunning: boolean; readonly task: PveTask };

/** Undefined when the answer is no list; an entry that cannot be read is nobody's. */
export const tasksOf = (data: unknown): readonly Entry[] | undefined =>
  Array.isArray(data)
    ? data.flatMap((entry): readonly Entry[] => {
        if (!isObject(entry)) return [];
        const task = parseUpid(entry["upid"]);
        if (task === undefined) return [];
        const { endtime, status } = entry;
        return [{ isRunning: endtime === undefined && (status === undefined || status === "RUNNING"), task }];
      })
    : undefined;

/**
 * How the types of tasks on guests begin: fork_worker in qemu-server src/PVE/API2/Qemu.pm and pve-container
 * src/PVE/API2/LXC.
 */
const ACTS = /^(?:qm|vz|ha)/;

/** What is at work, by guest. */
export const activeOf = (data: unknown): ReadonlyMap<Vmid, string> =>
  new Map(
    (tasksOf(data) ?? []).flatMap(({ isRunning, task: { type, vmid } }) =>
      isRunning && vmid !== undefined && ACTS.test(type) ? [[vmid, type] as const] : [],
    ),
  );
