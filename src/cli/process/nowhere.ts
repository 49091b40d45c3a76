// Whether what is written to a descriptor is kept by nobody. A program that is started with a closed standard output
// gets the null device in its place, which takes everything without a word.

import { fstatSync, statSync } from "node:fs";
import { devNull } from "node:os";

export const isNowhere = (descriptor: number): boolean => {
  const at = fstatSync(descriptor);
  return at.isCharacterDevice() && at.rdev === statSync(devNull).rdev;
};
