// Reads of desired VMs beside what was observed of them: what one of them judged or read, the others need not again.
// Each is loaded when it is asked for. Not here: who may ask (local-service.ts proves it).

import type { RefusedAnswer } from "./answer.ts";
import type { RecalledOperation } from "./hold/recall-answer.ts";
import type { Reading } from "./hold/session.ts";
import type { Judging } from "./read/judge-fleet.ts";
import type { ReadAnswers } from "./read/plans-of-vm.ts";
import type { Operation, Reads } from "./service.ts";

type ReadOften = <R extends object, T extends object>(
  name: RecalledOperation,
  load: () => Promise<(reading: Reading, request: R) => Promise<T | RefusedAnswer>>,
) => Operation<R, T>;

export const fleetReadsOf = (readOften: ReadOften): Pick<Reads, "fleet" | "vm"> => {
  const judge = madeOnce<Judging>(async () => (await import("./read/judge-fleet.ts")).rememberJudged());
  const readAnswers = madeOnce<ReadAnswers>(async () => (await import("./read/plans-of-vm.ts")).rememberPlans());
  return {
    fleet: readOften("fleet", async () => (await import("./read/fleet.ts")).fleetReader(await judge())),
    vm: readOften("vm", async () => (await import("./read/vm-shown.ts")).vmReader(await judge(), await readAnswers())),
  };
};

const madeOnce = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
};
