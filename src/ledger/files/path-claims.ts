// Whether two paths would be one file, however they are spelled: by links, hard links, linked folders, and before
// either is there.
//
// A claim is what somebody will write: one file, or every file of a folder whose name begins so. What cannot be looked
// at is known by its folder and name alone; whoever cannot look there cannot write there either. Not here: whose claims
// there are (service/path-roles.ts, and the engines for their own files).

import { readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";

/** `begins` is every file of its folder whose name begins with the name given. */
export type PathClaim = { readonly kind: "file" | "begins"; readonly path: string };

export const fileClaim = (path: string): PathClaim => ({ kind: "file", path });

/** A name in a folder; the folder by its number on its disk, or by the nearest one that is there. */
type Spot = { readonly folder: string; readonly name: string };
export type PlacedClaim = {
  readonly claim: PathClaim;
  /** Folders that are made on the way. */
  readonly made: readonly Spot[];
  /** Of what is there. */
  readonly number: string | undefined;
  /** Its own, and that of everything it links to. */
  readonly spots: readonly Spot[];
};

/** As many as Linux follows. */
const LINKS_MAX = 40;

/** What the system does not tell is undefined: it is not there, or may not be looked at. */
const told = <T>(ask: () => T): T | undefined => {
  try {
    return ask();
  } catch {
    return undefined;
  }
};

const numberAt = (path: string): string | undefined => {
  const found = told(() => statSync(path, { bigint: true }));
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
};

const spotOf = (path: string): Spot => ({ folder: folderOf(dirname(path)), name: basename(path) });

/** The root of the file system has a number, so that there is always a nearest one. */
const folderOf = (folder: string): string => numberAt(folder) ?? `${folderOf(dirname(folder))}/${basename(folder)}`;

const madeFor = (folder: string): readonly Spot[] =>
  numberAt(folder) === undefined ? [spotOf(folder), ...madeFor(dirname(folder))] : [];

/** Undefined for what is no link, too. */
const linkAt = (path: string): string | undefined => told(() => readlinkSync(path));

/** The path itself, and every path that it leads to by a link; the last may not be there. */
export const followLinks = (path: string): readonly string[] => {
  let at = resolve(path);
  const paths = [at];
  while (paths.length <= LINKS_MAX) {
    const link = linkAt(at);
    if (link === undefined) break;
    // Not normalised: the system goes up from where a linked folder is, not from where it is named.
    const to = isAbsolute(link) ? link : `${dirname(at)}/${link}`;
    const folder = told(() => realpathSync.native(dirname(to))) ?? dirname(to);
    at = join(folder, basename(to));
    paths.push(at);
  }
  return paths;
};

const placed = (claim: PathClaim): PlacedClaim => {
  const { path } = claim;
  const paths = followLinks(path);
  return {
    claim,
    made: madeFor(dirname(paths.at(-1) ?? path)),
    number: numberAt(path),
    spots: paths.map(spotOf),
  };
};

const meets = (a: PlacedClaim, b: PlacedClaim): boolean => {
  if (a.number !== undefined && a.number === b.number) return true;
  const isSame = (one: Spot, other: Spot): boolean => one.folder === other.folder && isNamed(a, one, b, other);
  return (
    a.spots.some((one) => [...b.spots, ...b.made].some((other) => isSame(one, other))) ||
    a.made.some((one) => b.spots.some((other) => isSame(one, other)))
  );
};

const isNamed = (a: PlacedClaim, { name: one }: Spot, b: PlacedClaim, { name: other }: Spot): boolean =>
  one === other ||
  (a.claim.kind === "begins" && other.startsWith(one)) ||
  (b.claim.kind === "begins" && one.startsWith(other));

/** Where they are now: asked of the disk once, and compared as often as is needed. */
export const placeClaims = (claims: readonly PathClaim[]): readonly PlacedClaim[] => claims.map(placed);

/** The first of ours that would be the same file as one of theirs; undefined when all can be written side by side. */
export const sharedClaim = (ours: readonly PlacedClaim[], theirs: readonly PlacedClaim[]): PathClaim | undefined =>
  ours.find((our) => theirs.some((their) => meets(our, their)))?.claim;

/** A file that is written beside itself first, and renamed. */
export const claimsOfOut = (path: string): readonly PathClaim[] => [
  fileClaim(path),
  fileClaim(join(dirname(path), `${basename(path)}.part`)),
];
