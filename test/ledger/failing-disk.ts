// A disk that can be made to fail: an ext4 file system in an image with holes, on a pool of memory that can be filled
// up.
//
// The file system has room and takes every write; when the pool has none left, the disk cannot take the block, and the
// next fsync fails with an I/O error. This is how a thinly provisioned volume fails. Needs root and loop devices.

import { execFileSync } from "node:child_process";
import {
  closeSync,
  type Dirent,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { guardMounts } from "../../tools/power-cut/mount-guard.ts";

export type FailingDisk = {
  readonly folder: string;
  /** From here on no block that was never written can be written. */
  readonly fail: () => void;
  readonly heal: () => void;
  /**
   * Hears of every block that was lost. The system tells of a failed write once, to the next one who opens the file and
   * syncs it, however well the disk does by then; whoever starts afterwards finds a disk without a past. Gives the
   * files.
   */
  readonly hear: () => readonly string[];
};

const MIB = 1024 * 1024;

const run = (command: string, ...args: readonly string[]): string =>
  execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

const nameOf = ({ name, parentPath }: Dirent): string => join(parentPath, name);

const isLossy = (entry: Dirent): boolean => {
  if (!entry.isFile()) return false;
  const file = openSync(nameOf(entry), "r");
  try {
    fsyncSync(file);
    return false;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EIO"))) throw error;
    return true;
  } finally {
    closeSync(file);
  }
};

export type Later = (undo: () => unknown) => void;

/** What is undone after the test, the last first: what stands on a disk goes before the disk. */
export const laterOf = (t: TestContext): Later => {
  const steps: (() => unknown)[] = [];
  t.after(async () => {
    for (const step of steps.toReversed()) await step();
  });
  return (undo) => steps.push(undo);
};

/** Undefined, with a diagnostic, where no such disk can be made. */
export const failingDisk = (
  t: TestContext,
  later: Later,
  { mib }: { readonly mib: number },
): FailingDisk | undefined => {
  const pool = mkdtempSync(join(tmpdir(), "dedalus-pool-"));
  later(() => rmSync(pool, { force: true, recursive: true }));
  try {
    run("mount", "-t", "tmpfs", "-o", `size=${mib}m,mode=711`, "dedalus-pool", pool);
    later(() => run("umount", "--lazy", pool));
    const image = join(pool, "image");
    writeFileSync(image, "");
    truncateSync(image, 4 * mib * MIB);
    // Without a journal, which would lie in holes of the image too and take the whole file system down.
    run("mkfs.ext4", "-q", "-F", "-m", "0", "-O", "^has_journal", image);
    const folder = join(pool, "disk");
    mkdirSync(folder);
    run("mount", "-o", "loop,noatime", image, folder);
    later(() => run("umount", "--lazy", folder));
    later(guardMounts({ devices: [], folder: pool, mounts: [folder, pool] }));
    const ballast = join(pool, "ballast");
    return {
      fail: () => {
        run("sync", "--file-system", folder);
        try {
          writeFileSync(ballast, new Uint8Array(mib * MIB));
        } catch (error) {
          if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
        }
      },
      folder,
      heal: () => rmSync(ballast),
      hear: () => readdirSync(folder, { recursive: true, withFileTypes: true }).filter(isLossy).map(nameOf),
    };
  } catch (error) {
    t.diagnostic(`NOT SHOWN, no disk that fails can be made here: ${String(error)}`);
    return undefined;
  }
};
