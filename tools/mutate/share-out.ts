// Work shared out over copies of the tree: everybody takes the next piece that waits.

export const shareOut = async <C, T, R>(
  copies: readonly C[],
  list: readonly T[],
  work: (copy: C, one: T) => Promise<R>,
): Promise<readonly R[]> => {
  const waiting = [...list];
  const done: R[] = [];
  const takeAll = async (copy: C): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) done.push(await work(copy, one));
  };
  await Promise.all(copies.map(takeAll));
  return done;
};
