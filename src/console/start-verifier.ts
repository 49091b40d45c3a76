// Starts the verifier beside the page, and ends it. The frame's policy lets a script be started by one name alone, and
// that name stands for one file of the build.

import type { VerifierAsked, VerifierSaid } from "./verifier.ts";

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

/** Gives what ends it. A verifier that fails has said nothing, and that is told. */
export const startVerifier = (
  asked: VerifierAsked,
  hear: (said: VerifierSaid | { readonly kind: "failed" }) => void,
): (() => void) => {
  const worker = new Worker(STARTING.createScriptURL(VERIFIER_PATH), { type: "module" });
  worker.addEventListener("message", ({ data }: MessageEvent<VerifierSaid>) => hear(data));
  worker.addEventListener("error", () => hear({ kind: "failed" }));
  worker.postMessage(asked);
  return () => worker.terminate();
};
