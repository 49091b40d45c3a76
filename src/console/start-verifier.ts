// Starts the verifier beside the page, and ends it. The frame's policy lets a script be started by one name alone, and
// that name stands for one file of the build.

import type { SomebodyActs, VerifierAsked, VerifierSaid } from "./verifier.ts";

/** Where the build put it. */
declare const VERIFIER_PATH: string;

type Starting = { readonly createScriptURL: (path: string) => string };
declare const trustedTypes: { readonly createPolicy: (name: string, rules: Starting) => Starting } | undefined;

/** A browser without the policy takes the path as it is. */
const STARTING: Starting =
  typeof trustedTypes === "undefined"
    ? { createScriptURL: (path) => path }
    : trustedTypes.createPolicy("verifier", {
        createScriptURL: (path) => {
          if (path !== VERIFIER_PATH) throw new TypeError("the verifier alone is started");
          return path;
        },
      });

/** What a person does in the page and waits to see: the verifier makes room for it. */
const ACTS = ["keydown", "pointerdown", "wheel"] as const;
const SOMEBODY_ACTS: SomebodyActs = "somebody-acts";

/** Gives what ends it. A verifier that fails has said nothing, and that is told. */
export const startVerifier = (
  asked: VerifierAsked,
  hear: (said: VerifierSaid | { readonly kind: "failed" }) => void,
): (() => void) => {
  const worker = new Worker(STARTING.createScriptURL(VERIFIER_PATH), { type: "module" });
  const heeded = new AbortController();
  const heed = (): void => worker.postMessage(SOMEBODY_ACTS);
  for (const act of ACTS) addEventListener(act, heed, { capture: true, passive: true, signal: heeded.signal });
  const end = (): void => {
    heeded.abort();
    worker.terminate();
  };
  worker.addEventListener("message", ({ data }: MessageEvent<VerifierSaid>) => {
    if (data.kind === "ended") end();
    hear(data);
  });
  worker.addEventListener("error", () => {
    end();
    hear({ kind: "failed" });
  });
  worker.postMessage(asked);
  return end;
};
