// To whom each secret belongs that this process has read: the first that it was read for, an environment or the
// service itself. Its value is refused to everybody else, however often it is rotated meanwhile. keeps B3
//
// Values are compared by a hash under a key that the process makes and never writes, so that nothing can be guessed
// from it and nothing is left on disk: an observation leaves no file (N3). Another process therefore begins with
// nothing seen. Credentials of one environment may be one: that they can observe and act is between that environment
// and its provider. Not here: references that are equal as written (formats/dedalus/dedalus-yaml.ts).

import type { Refusal } from "../spine/model.ts";
import { refuse } from "../spine/rules/refusals.ts";

/** An environment by its name. */
export type SecretOwner = { readonly kind: "environment"; readonly name: string } | { readonly kind: "service" };

/** Undefined where the secret is the owner's, from then on at the latest. */
export type SeeSecret = (owner: SecretOwner, text: string) => Refusal | undefined;

/** `newKey` is asked once, when there is a secret: most short commands never read one. */
export const seenSecrets = (newKey: () => string): SeeSecret => {
  const owners = new Map<string, SecretOwner>();
  let key: string | undefined;
  return (owner, text) => {
    key ??= newKey();
    const hash = keyedHash(key, text);
    const first = owners.get(hash) ?? owner;
    owners.set(hash, first);
    return isSame(first, owner) ? undefined : refuseShared(first, owner);
  };
};

/** A blank around it does not make it another: whoever uses it may cut that off. */
const keyedHash = (key: string, text: string): string =>
  process.getBuiltinModule("node:crypto").createHmac("sha256", key).update(text.trim()).digest("base64");

const isSame = (a: SecretOwner, b: SecretOwner): boolean =>
  a.kind === "environment" ? b.kind === "environment" && a.name === b.name : b.kind === "service";

const refuseShared = (first: SecretOwner, second: SecretOwner): Refusal => {
  const [one, other] = second.kind === "environment" ? [second, first] : [first, second];
  if (one.kind === "service") throw new Error("a secret of the service is its own");
  return other.kind === "environment"
    ? refuse("secret-shared", { cause: "environments", facts: { environment: one.name, other: other.name } })
    : refuse("secret-shared", { cause: "service", facts: { environment: one.name } });
};
