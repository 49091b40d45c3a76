// roomMaker(): lets a walk through the ledger make room for whoever uses the page meanwhile.
//
// A walk keeps a processor busy, and what brings it the records half of another: where there are two, a key waits for
// both. So the walk waits behind each page of records for a while after somebody has done something, and goes on at a
// sixth of its speed. It never stops, however long somebody types. Not here: what somebody does (start-verifier.ts).

/** A page takes about five milliseconds. */
const PAUSE_MS = 25;
/** Nobody has done anything for so long: nobody is typing any more. */
const ACTING_MS = 500;

export type RoomMaker = {
  /** Somebody did something. */
  readonly noteAct: () => void;
  readonly pause: () => Promise<void>;
};

export const roomMaker = (): RoomMaker => {
  let acting: ReturnType<typeof setTimeout> | undefined;
  return {
    noteAct: () => {
      clearTimeout(acting);
      acting = setTimeout(() => {
        acting = undefined;
      }, ACTING_MS);
    },
    pause: async () => {
      if (acting !== undefined) await new Promise((resume) => setTimeout(resume, PAUSE_MS));
    },
  };
};
