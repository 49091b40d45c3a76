// The verifier in a thread of its own, so that the page stays usable: one request in, progress and one end out.
//
// It is a program of its own, started by start-verifier.ts, which also tells it when somebody does something in the
// page. Not here: what is checked (verify/).

import { readServiceBytes } from "./ask/get-bytes.ts";
import { roomMaker } from "./verify/make-room.ts";
import { checkByPlatform } from "./verify/signed-note.ts";
import { type ServiceWalkGiven, type WalkEnd, walkService } from "./verify/walk-service.ts";

export type VerifierAsked = Pick<ServiceWalkGiven, "key" | "shown">;
/** Somebody is at the keyboard or the mouse. */
export type SomebodyActs = "somebody-acts";
export type VerifierSaid =
  | { readonly findings: number; readonly kind: "progress"; readonly records: number; readonly size: number }
  | { readonly end: WalkEnd; readonly kind: "ended" };

/** The page draws every word about how far it is, and somebody may be typing there: few are enough. */
const TOLD_EVERY = 5_000;

const say = (said: VerifierSaid): void => postMessage(said);

const { noteAct, pause } = roomMaker();

const verify = (asked: VerifierAsked): void => {
  let told = -TOLD_EVERY;
  void walkService({
    ...asked,
    ask: (path) => readServiceBytes(path),
    check: checkByPlatform,
    onProgress: (records, size, findings) => {
      if (records - told < TOLD_EVERY) return;
      told = records;
      say({ findings, kind: "progress", records, size });
    },
    pause,
  }).then((end) => say({ end, kind: "ended" }));
};

addEventListener("message", ({ data }: MessageEvent<SomebodyActs | VerifierAsked>) =>
  data === "somebody-acts" ? noteAct() : verify(data),
);
