// The package's own package.json, made from that of the repository, and the packages that come inside it. Pure.
//
// What only a checkout needs is left out. The two dependencies and what they need are bundled, in the versions of the
// lock file: an install asks nobody, and brings the very bytes that were tested and whose digest is signed.

export type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
};

type Locked = { readonly dev?: true; readonly link?: true };
export type Lock = { readonly packages: Readonly<Record<string, Locked>> };

export const packageJson = (from: Manifest, formats: readonly string[]): object => ({
  name: from.name,
  version: from.version,
  description: from.description,
  license: from.license,
  type: "module",
  engines: from.engines,
  bin: { [from.name]: `bin/${from.name}.cjs` },
  man: [`man/${from.name}.1`],
  exports: {
    ...Object.fromEntries(formats.map((format) => [`./${format}`, { types: `./types/${format}.d.ts` }])),
    "./schemas/*": "./schemas/*",
    "./package.json": "./package.json",
  },
  dependencies: from.dependencies,
  bundleDependencies: Object.keys(from.dependencies),
});

/** The folders of what is needed at run time, below the repository. */
export const bundled = ({ packages }: Lock): readonly string[] =>
  Object.entries(packages)
    .filter(([path, { dev, link }]) => path.startsWith("node_modules/") && dev !== true && link !== true)
    .map(([path]) => path);
