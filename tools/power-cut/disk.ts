// A disk whose power can be cut: an ext4 file system on two loop devices, one on top of the other, all of it in memory.
//
//   file system ─► upper loop device ─► lower loop device ─► image file
//
// What a program wrote and did not sync is in the pages of the file system. What was written to the disk and not
// flushed is in the pages of the lower device, which stand for the cache inside a disk. The image has what was flushed,
// and nothing else. So a copy of the lower device is what is left when the machine loses power, and a copy of the image
// is what is left when the disk loses its cache too. Needs root and loop devices; says so where they are not to be had.

import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { guardMounts } from "./mount-guard.ts";

/** What is gone after the cut. */
export type Loss = "memory" | "memory-and-disk-cache";

export type Copy = { readonly folder: string; readonly remove: () => void };

export type Disk = {
  /** Where the file system is mounted. */
  readonly folder: string;
  /** The disk as a power cut at this moment leaves it, mounted again. Whoever writes to the disk must stand still. */
  readonly cut: (loss: Loss) => Copy;
  /** Brings everything to the image, as if it had been there for long. */
  readonly sync: () => void;
  readonly remove: () => void;
};

export type DiskOptions = {
  readonly mib: number;
  /** never: the file system does not tell the disk to flush. For controls, which must lose. */
  readonly flushes: "always" | "never";
};

const run = (command: string, ...args: readonly string[]): string =>
  execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();

const BARRIER = { always: "barrier=1", never: "barrier=0" } as const satisfies Record<DiskOptions["flushes"], string>;
/** The file system's own commit would come every five seconds; a round is shorter, and its end is a sync or a cut. */
const COMMIT_S = 600;
/** A copy that was not of one moment is made again. */
const COPIES_MAX = 5;

export const makeDisk = ({ flushes, mib }: DiskOptions): Disk | { readonly none: string } => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-disk-"));
  const undo: (() => void)[] = [() => rmSync(folder, { force: true, recursive: true })];
  const removed = (): void => {
    for (const step of undo.splice(0).toReversed()) step();
  };
  try {
    // Room for the image and its copy; passable, because a server may run as another user.
    run("mount", "-t", "tmpfs", "-o", `size=${2 * mib + 8}m,mode=711`, "dedalus-disk", folder);
    undo.push(() => run("umount", "--lazy", folder));
    const image = join(folder, "image");
    writeFileSync(image, "");
    truncateSync(image, mib * 1024 * 1024);
    run("mkfs.ext4", "-q", "-F", "-m", "0", image);
    const lower = run("losetup", "--find", "--show", image);
    undo.push(() => run("losetup", "--detach", lower));
    const upper = run("losetup", "--find", "--show", lower);
    undo.push(() => run("losetup", "--detach", upper));
    const disk = join(folder, "disk");
    mkdirSync(disk);
    run("mount", "-o", `noatime,commit=${COMMIT_S},${BARRIER[flushes]}`, upper, disk);
    undo.push(() => run("umount", "--lazy", disk));
    chmodSync(disk, 0o755);
    undo.push(guardMounts({ devices: [upper, lower], folder, mounts: [join(folder, "copy"), disk, folder] }));
    const sources: Readonly<Record<Loss, string>> = { memory: lower, "memory-and-disk-cache": image };
    return {
      cut: (loss) => copyOf(sources[loss], folder),
      folder: disk,
      remove: removed,
      sync: () => {
        run("sync", "--file-system", disk);
        run("sync", lower);
      },
    };
  } catch (error) {
    removed();
    return { none: error instanceof Error ? error.message.trim() : String(error) };
  }
};

const copyOf = (source: string, folder: string): Copy => {
  const image = join(folder, "copied");
  for (let copies = 1; !isSame(source, image); copies += 1) {
    if (copies > COPIES_MAX) throw new Error("the disk did not stand still while it was copied");
    run("cp", "--sparse=always", source, image);
  }
  const mounted = join(folder, "copy");
  mkdirSync(mounted, { recursive: true });
  run("mount", "-o", "loop,noatime", image, mounted);
  return {
    folder: mounted,
    remove: () => {
      run("umount", "--lazy", mounted);
      rmSync(image);
    },
  };
};

const isSame = (source: string, image: string): boolean => {
  try {
    run("cmp", "--silent", source, image);
    return true;
  } catch {
    return false; // not there, or of another moment: it is made again, within a bound
  }
};
