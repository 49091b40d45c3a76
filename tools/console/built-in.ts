// The packages whose code or fonts are inside the built console, by name: development dependencies of the repository,
// and materials of the package that is handed out. The build fails on one that is not listed, and on one that is listed
// and not in it.

export const BUILT_IN: readonly string[] = [
  "@fontsource-variable/inter",
  "@fontsource/jetbrains-mono",
  "@noble/hashes",
  "@tanstack/react-virtual",
  "@tanstack/virtual-core",
  "react",
  "react-dom",
  "scheduler",
];

const PACKAGE = /node_modules\/((?:@[^/]+\/)?[^/]+)\//;

/** What the inputs of a build say otherwise than the list. */
export const builtInDifferences = (inputs: readonly string[]): readonly string[] => {
  const found = new Set(inputs.map((path) => PACKAGE.exec(path)?.[1]).filter((name) => name !== undefined));
  return [
    ...[...found].filter((name) => !BUILT_IN.includes(name)).map((name) => `${name} is in the console and not listed`),
    ...BUILT_IN.filter((name) => !found.has(name)).map((name) => `${name} is listed and not in the console`),
  ];
};
