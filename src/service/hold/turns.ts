// Work of one name runs one after another; what failed keeps nobody from its turn.

export type InTurn = <T>(name: string, work: () => Promise<T>) => Promise<T>;

export const turns = (): InTurn => {
  const last = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const mine = (last.get(name) ?? Promise.resolve()).then(work, work);
    last.set(name, mine);
    return mine;
  };
};
