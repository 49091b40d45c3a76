// What init --from must know before it writes: whose certificate is pinned, and in which variables the tokens are.
//
// A person confirms the fingerprint at the terminal; a script brings the one that it expects. Nothing is sent to the
// provider.

import type { Beginning, FirstEnvironment } from "../../adapters/descriptor.ts";
import { isFingerprint, isVariable } from "../../formats/dedalus/dedalus-fields.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { present } from "../../spine/values/present.ts";
import { beginningAt } from "../../wire.ts";
import { notAVariable } from "../arguments/variable-word.ts";
import type { Arguments } from "../command.ts";
import type { Io } from "../process/io.ts";
import { fingerprintLines } from "../views/fingerprint.ts";

export type Provider = { readonly at: FirstEnvironment; readonly beginning: Beginning };

/** What the variables with the tokens are called where nobody calls them otherwise. */
const USUAL = { apply: "DEDALUS_APPLY", observe: "DEDALUS_OBSERVE" } as const;

/** Options that mean nothing without --from. */
const WITH_FROM = ["apply-env", "fingerprint", "observe-env"] as const;

/** Undefined without --from. What was written wrong is said before anybody is asked. */
export const askForProvider = async (given: Arguments, io: Io): Promise<Provider | Refusal | undefined> => {
  const { text } = given;
  const url = text.get("from");
  if (url === undefined) {
    const stray = WITH_FROM.find((name) => text.has(name));
    const facts = { argument: `--${stray}`, with: "--from URL" };
    return stray === undefined ? undefined : refuse("usage", { cause: "goes-with", facts });
  }
  const beginning = await beginningAt(url);
  if (!("section" in beginning)) {
    return refuse("usage", { cause: "provider-unknown", facts: { argument: "--from", forms: beginning } });
  }
  const wrong = miswritten(given);
  if (wrong !== undefined) return wrong;
  const sha256 = await confirmCertificate(url, beginning, text.get("fingerprint"), io);
  if (typeof sha256 === "object") return sha256;
  const observe = text.get("observe-env") ?? (await askVariable(io, "observe"));
  if (observe === undefined) {
    return refuse("usage", { cause: "no-terminal", facts: { argument: "--observe-env NAME" } });
  }
  const apply = text.get("apply-env") ?? (await askVariable(io, "apply"));
  const unfit = [observe, apply].find((name) => name !== undefined && !isVariable(name));
  if (unfit !== undefined) return notAVariable("NAME");
  if (apply === observe) {
    return refuse("usage", { cause: "given-twice", facts: { argument: observe, command: "init" } });
  }
  return { at: { ...present({ apply }), observe, sha256, url }, beginning };
};

const miswritten = ({ text }: Arguments): Refusal | undefined => {
  const fingerprint = text.get("fingerprint");
  if (fingerprint !== undefined && !isFingerprint(pairs(fingerprint))) {
    return refuse("usage", { cause: "not-a-fingerprint", facts: { argument: "--fingerprint" } });
  }
  for (const name of ["observe-env", "apply-env"]) {
    const found = text.get(name);
    if (found !== undefined && !isVariable(found)) return notAVariable(`--${name}`);
  }
  return undefined;
};

/** As openssl writes it: AB:CD:… */
const pairs = (text: string): string => {
  const upper = text.toUpperCase();
  return /^[0-9A-F]{64}$/.test(upper) ? (upper.match(/../g) ?? []).join(":") : upper;
};

const confirmCertificate = async (
  url: string,
  { certificateAt, comparedWith }: Beginning,
  expected: string | undefined,
  io: Io,
): Promise<string | Refusal> => {
  const shown = await certificateAt(url);
  if (typeof shown === "object") {
    return refuse("provider-unreachable", { facts: { check: "tls", finding: shown.code } });
  }
  if (expected !== undefined) {
    const facts = { expected: pairs(expected), shown, url };
    return pairs(expected) === shown ? shown : refuse("certificate-unconfirmed", { cause: "other", facts });
  }
  const answer = await io.ask(
    [
      `${url} presents a certificate with the SHA-256 fingerprint`,
      ...fingerprintLines("  ", shown, io.width?.("err")),
      `Compare it with the provider's own (${comparedWith}).`,
      "Is it the same? Type yes: ",
    ].join("\n"),
  );
  if (answer === undefined)
    return refuse("certificate-unconfirmed", { cause: "nobody", facts: { ...USUAL, shown, url } });
  return answer.trim() === "yes"
    ? shown
    : refuse("certificate-unconfirmed", { cause: "declined", facts: { shown, url } });
};

/** Undefined when nobody is there to ask. */
const askVariable = async (io: Io, verb: keyof typeof USUAL): Promise<string | undefined> => {
  const name = USUAL[verb];
  const answer = await io.ask(`Environment variable with the token to ${verb} [${name}]: `);
  return answer?.trim() === "" ? name : answer?.trim();
};
