// Options of every command may stand before its name: `dedalus --server URL plan`.

const FLAGS: ReadonlySet<string> = new Set(["--json", "--verbose"]);

/** `server` is what named one, as its command reads it; flags are found wherever they stand. */
export type Leading = { readonly server: readonly string[]; readonly words: readonly string[] };

export const withoutLeading = (argv: readonly string[]): Leading => {
  const server: string[] = [];
  const rest = [...argv];
  for (let word = rest[0]; word !== undefined; word = rest[0]) {
    if (word === "--server") server.push(...rest.splice(0, 2));
    else if (word.startsWith("--server=")) server.push(...rest.splice(0, 1));
    else if (FLAGS.has(word)) rest.shift();
    else break;
  }
  return { server, words: rest };
};
