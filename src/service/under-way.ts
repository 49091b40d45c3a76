// Requests that are under way: each is taken until the service closes, and the close waits for those that were.
//
// A ledger that cannot be read is an answer, and so is a service that closes; a bug rises.

import { refuse } from "../spine/rules/refusals.ts";
import { type RefusedAnswer, refusedBy, type ServiceAnswer, unreadable } from "./answer.ts";
import type { Hearing } from "./ports.ts";
import { unfailing, type Watch } from "./progress.ts";

export type Guarded = <T>(
  watch: Watch | undefined,
  work: (watch: Watch) => Promise<ServiceAnswer<T>>,
) => Promise<ServiceAnswer<T>>;

export type UnderWay = {
  /** Once, whoever asks for it: what it waits for first, then the requests, then the rest. */
  readonly close: () => Promise<readonly RefusedAnswer[]>;
  readonly guarded: Guarded;
  readonly isClosed: () => boolean;
};

export type Closing = {
  readonly before: () => Promise<void>;
  readonly after: () => Promise<readonly RefusedAnswer[]>;
};

export const requestsUnderWay = (note: Hearing["note"], { after, before }: Closing): UnderWay => {
  let closed: Promise<readonly RefusedAnswer[]> | undefined;
  const running = new Set<Promise<unknown>>();
  const finish = async (): Promise<readonly RefusedAnswer[]> => {
    await before();
    await Promise.allSettled(running);
    return after();
  };
  return {
    close: () => {
      closed ??= finish();
      return closed;
    },
    guarded: (watch, work) => {
      if (closed !== undefined) return Promise.resolve(refusedBy(refuse("service-ending", {})));
      const answer = work(unfailing(watch ?? (() => undefined), note)).catch(unreadable);
      const end = (): boolean => running.delete(answer);
      running.add(answer);
      answer.then(end, end);
      return answer;
    },
    isClosed: () => closed !== undefined,
  };
};
