// The bill of materials of a release: every package that is inside it, as CycloneDX 1.5, from the lock file alone.
// Pure.
//
// Made from the same list as the package itself, so that neither has what the other has not: `npm sbom --omit=dev` of
// npm 11 leaves out what is needed only by what is needed (pg-types below pg). Without a time and a serial number: the
// same commit gives the same bytes. https://cyclonedx.org/docs/1.5/json/

import { bundled, type Lock, type Manifest } from "../package/manifest.ts";

type LockedPackage = {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly integrity?: string;
  readonly license?: string;
  readonly optional?: true;
  readonly resolved?: string;
  readonly version: string;
};
export type BillLock = Lock & { readonly packages: Readonly<Record<string, LockedPackage>> };

const FOLDER = "node_modules/";
const nameOf = (path: string): string => path.slice(path.lastIndexOf(FOLDER) + FOLDER.length);

export const billOfMaterials = (
  { license, name, version }: Manifest,
  lock: BillLock,
  /** What is built into files of the package, by name. */
  builtIn: readonly string[],
): object => {
  const refOf = (path: string): string => `${nameOf(path)}@${lockedAt(lock, path).version}`;
  // Two copies of one version are one material.
  const inside = builtIn.map((one) => `${FOLDER}${one}`);
  const paths = [...new Map([...bundled(lock), ...inside].map((path) => [refOf(path), path])).values()];
  const own = `${name}@${version}`;
  return {
    bomFormat: "CycloneDX",
    components: paths.map((path) => componentOf(nameOf(path), refOf(path), lockedAt(lock, path))),
    dependencies: [
      { dependsOn: [...neededBy(lock, ""), ...inside].map(refOf), ref: own },
      ...paths.map((path) => ({ dependsOn: neededBy(lock, path).map(refOf), ref: refOf(path) })),
    ],
    metadata: {
      component: {
        "bom-ref": own,
        licenses: [{ license: { id: license } }],
        name,
        purl: `pkg:npm/${own}`,
        type: "application",
        version,
      },
    },
    specVersion: "1.5",
    version: 1,
  };
};

const lockedAt = ({ packages }: BillLock, path: string): LockedPackage => {
  const locked = packages[path];
  if (locked === undefined) throw new Error(`${path} is not in the lock file`);
  return locked;
};

const componentOf = (
  name: string,
  ref: string,
  { integrity, license, optional, resolved, version }: LockedPackage,
): object => ({
  "bom-ref": ref,
  ...(resolved === undefined ? {} : { externalReferences: [{ type: "distribution", url: resolved }] }),
  hashes: hashesOf(ref, integrity),
  ...(license === undefined ? {} : { licenses: [{ license: { id: license } }] }),
  name,
  purl: `pkg:npm/${ref.replace(/^@/, "%40")}`,
  scope: optional === true ? "optional" : "required",
  type: "library",
  version,
});

/** What is inside a release is known by its digest, or is not inside it. */
const hashesOf = (ref: string, integrity: string | undefined): readonly object[] => {
  const [, base64] = /^sha512-([A-Za-z0-9+/]+=*)$/.exec(integrity ?? "") ?? [];
  if (base64 === undefined) throw new Error(`the lock file has no SHA-512 of ${ref}`);
  return [{ alg: "SHA-512", content: Buffer.from(base64, "base64").toString("hex") }];
};

/** As Node finds them: in the package's own folder first, then in each above. */
const neededBy = (lock: BillLock, path: string): readonly string[] =>
  Object.keys(lockedAt(lock, path).dependencies ?? {}).map((name) => {
    for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf(`/${FOLDER}`)))) {
      const found = at === "" ? `${FOLDER}${name}` : `${at}/${FOLDER}${name}`;
      if (lock.packages[found] !== undefined) return found;
      if (at === "") throw new Error(`${name} of ${path} is not in the lock file`);
    }
  });
