// present(): an object without the members that are undefined, so that a member that is absent is spelled once.
//
//   { environment, ...present({ because, next }) }
//
// Not for what runs for every record or VM: there members are set one by one, which is faster.

export type Present<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

export const present = <T extends object>(members: T): Present<T> => {
  const kept: { -readonly [K in keyof T]?: Exclude<T[K], undefined> } = {};
  for (const key in members) {
    const value = members[key];
    if (isThere(value)) kept[key] = value;
  }
  return kept;
};

const isThere = <V>(value: V): value is Exclude<V, undefined> => value !== undefined;
