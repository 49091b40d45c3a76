// Which rooms are mutated, which tests must kill, and which share of the mutants at the least.
//
// `direct` are the tests that name what they expect; `worlds` are simulated ones, which notice much and say little.
// What is a matter of safety must die in a direct test, so mutants that only a world kills are listed.

export type Room = {
  readonly direct: readonly string[];
  /** In percent. */
  readonly goal: number;
  readonly worlds: readonly string[];
};

export const ROOMS = {
  adapters: { direct: ["test/adapters", "test/cannot", "test/simulator", "test/live"], goal: 90, worlds: [] },
  kernel: { direct: ["test/kernel", "test/cannot", "test/cli"], goal: 95, worlds: ["test/sim"] },
  ledger: { direct: ["test/ledger", "test/cannot", "test/kernel", "test/cli"], goal: 90, worlds: ["test/sim"] },
  spine: {
    direct: ["test/spine", "test/cannot", "test/seeds", "test/kernel", "test/scenarios.test.ts", "test/formats"],
    goal: 95,
    worlds: ["test/sim"],
  },
} as const satisfies Record<string, Room>;

export type RoomName = keyof typeof ROOMS;
export const isRoomName = (word: string): word is RoomName => Object.hasOwn(ROOMS, word);
