// What the system gives or does not give, by cause. Causes in capital letters are the system's own codes of errors.
//
// Not here: what is wrong with a text that was read (text-words.ts).

/** Why a file or folder cannot be read or written. */
export const FILE_WORDS = {
  EACCES: "permission denied",
  EEXIST: "something of that name is there already; of a file that is written, an unfinished one with .part at its end",
  EISDIR: "it is a folder",
  ELOOP: "its symbolic links lead round in a circle",
  ENOENT: "no such file or folder",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of its path is not a folder",
  ENOTPLAIN: "it is not a plain file: devices, FIFOs and sockets are not read",
  EROFS: "the file system is read-only",
  other: "the system would not give it",
} as const;
