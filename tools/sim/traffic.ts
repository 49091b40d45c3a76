// What is on its way between a process and the outside, as choices for a scheduler.
//
// What a process sent is "out" until it arrives: it may arrive when the process is paused or gone. What comes back is
// "back" until the process takes it. A timer is due when its time has come, and rings when the scheduler says so.
// Apart: every answer is a choice of its own, and old when it is taken late. At once: what is sent is answered when it
// arrives, and what is read is read when it is taken; then there are fewer states and as many ends, because a process
// that has taken an answer and does nothing yet is one that has not taken it.

export type What = "append" | "head" | "observe" | "send" | "verdict";

export type Cargo = {
  /** What it is about. */
  readonly text: string;
  /** Whether anybody waits for the answer. */
  readonly isHeard: boolean;
  /** Of what is read of the ledger: how much was known when it was asked for, from where it will be read on. */
  readonly from?: number;
  /** The commit that it is, or that it is read for, with the size of the ledger which it expects. */
  readonly commit?: { readonly lines: readonly Uint8Array[]; readonly size: number };
};
const NO_CARGO: Cargo = { isHeard: true, text: "" };

export type Waiting = {
  readonly no: number; // in the order in which they came up, per process
  readonly what: What;
  readonly way: "out" | "back";
  /** What it carries, for telling two states of a world apart. */
  readonly carries: () => Cargo;
  /** It arrives, or is taken. */
  readonly go: () => void;
  /** The ways in which it can go wrong instead, by name. */
  readonly wrong: Readonly<Record<string, () => void>>;
};
export type Timer = { readonly dueMs: number; readonly ring: () => void; readonly what: string };

/** What comes in the place of a value, by the name of what went wrong. */
type Failing<T> = Readonly<Record<string, () => T | Error>>;

export type Traffic = {
  readonly waiting: () => readonly Waiting[];
  readonly timers: () => readonly Timer[];
  /** Puts something on its way; the answer takes it off again. */
  readonly put: (one: Omit<Waiting, "no">) => () => void;
  /** The answer to what arrived; resolves when the process takes it. */
  readonly answer: <T>(what: What, value: T, wrong?: Failing<T>) => Promise<T>;
  /** What is read outside; resolves when the process takes it. */
  readonly read: <T>(what: What, value: () => Promise<T> | T, wrong?: Failing<T>, cargo?: Cargo) => Promise<T>;
  /** The answer takes it off again: what came in time is not waited for any more. */
  readonly timer: (dueMs: number, what: string, ring: () => void) => () => void;
  /** Nothing comes back any more; what is out stays out. */
  readonly cut: () => void;
  /** What was on its way to there does not arrive. */
  readonly drop: (what: What) => void;
};

export type Pace = "apart" | "at-once";

/** What a process that is gone hears. */
const NEVER: Promise<never> = new Promise(() => undefined);

export const trafficOf = (pace: Pace): Traffic => {
  let waiting: readonly Waiting[] = [];
  let timers: readonly Timer[] = [];
  let count = 0;
  let isCut = false;
  const put: Traffic["put"] = (one) => {
    // Nothing leaves a process that is gone, whatever its promises still come to.
    if (isCut) return () => undefined;
    count += 1;
    const placed = { ...one, no: count };
    waiting = [...waiting, placed];
    return () => {
      waiting = waiting.filter((other) => other !== placed);
    };
  };
  const back = <T>(what: What, cargo: Cargo, value: () => Promise<T> | T, wrong: Failing<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      if (isCut) return;
      const taken =
        (given: () => Promise<T> | T | Error): (() => void) =>
        () => {
          off();
          const made = given();
          if (made instanceof Error) reject(made);
          else resolve(made);
        };
      const off = put({
        carries: () => cargo,
        go: taken(value),
        way: "back",
        what,
        wrong: Object.fromEntries(Object.entries(wrong).map(([name, given]) => [name, taken(given)])),
      });
    });
  return {
    answer: async (what, value, wrong = {}) =>
      pace === "at-once" ? (isCut ? NEVER : value) : back(what, NO_CARGO, () => value, wrong),
    read: async (what, value, wrong = {}, cargo = NO_CARGO) => {
      if (pace === "at-once") return back(what, cargo, value, wrong);
      const made = await value();
      return back(what, cargo, () => made, wrong);
    },
    cut: () => {
      isCut = true;
      waiting = waiting.filter(({ way }) => way === "out");
      timers = [];
    },
    drop: (what) => {
      waiting = waiting.filter((one) => one.what !== what);
    },
    put,
    timer: (dueMs, what, ring) => {
      const one: Timer = {
        dueMs,
        ring: () => {
          timers = timers.filter((other) => other !== one);
          ring();
        },
        what,
      };
      timers = [...timers, one];
      return () => {
        timers = timers.filter((other) => other !== one);
      };
    },
    timers: () => timers,
    waiting: () => waiting,
  };
};
