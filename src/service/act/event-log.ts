// Events that happen once and may be read by many, whenever they come: each reader gets all of them, from the first on.
//
// Nobody who reads, or leaves, holds up or ends what the events are about.

export type EventLog<E> = {
  readonly add: (event: E) => void;
  /** No more will come. */
  readonly end: () => void;
  readonly events: AsyncIterable<E>;
};

export const eventLog = <E>(): EventLog<E> => {
  const events: E[] = [];
  let isOver = false;
  let waiting: (() => void)[] = [];
  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    for (const resume of woken) resume();
  };
  async function* read(): AsyncGenerator<E> {
    for (let at = 0; ; at += 1) {
      while (at >= events.length && !isOver) await new Promise<void>((resume) => waiting.push(resume));
      const event = events[at];
      if (event === undefined) return;
      yield event;
    }
  }
  return {
    add: (event) => {
      events.push(event);
      wake();
    },
    end: () => {
      isOver = true;
      wake();
    },
    events: { [Symbol.asyncIterator]: read },
  };
};
