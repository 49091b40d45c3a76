// nameNew(): gives a file that is written whole the name that it was written for, and never over anything.
//
// rename() replaces what stands at a name, and whoever asks before it asks too early. link() does neither: the system
// refuses a name that is taken, by a link that leads nowhere too, at the moment at which it is given. A file system
// without hard links copies into a file that only it may have made. Not here: names that may be replaced
// (cli/files/files.ts), folders (rename() never replaces one that holds something).

import { constants, copyFileSync, linkSync, rmSync } from "node:fs";

/** What file systems answer that have no hard links: FAT, some shares and some mounts of containers. */
const NO_LINKS: ReadonlySet<string> = new Set(["ENOSYS", "ENOTSUP", "EOPNOTSUPP", "EPERM"]);

/** Throws EEXIST when something has the name, and what the system throws otherwise; `part` is there still then. */
export const nameNew = (part: string, path: string, link: typeof linkSync = linkSync): void => {
  try {
    link(part, path);
  } catch (error) {
    if (!NO_LINKS.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
    copyFileSync(part, path, constants.COPYFILE_EXCL);
  }
  rmSync(part);
};
