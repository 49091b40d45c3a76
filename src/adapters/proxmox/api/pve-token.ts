// A PVE API token: its name, which may be shown, and its secret half, which may not. Keeps B5.

import { Secret } from "../../secret.ts";

export type ApiToken = {
  readonly half: Secret; // the part that must never come back in an answer
  readonly header: Secret; // for the Authorization header, whole
  readonly name: string; // user@realm!token
  readonly user: string; // user@realm
};

const TOKEN =
  /^(([^\s\p{C}:/=!@]{1,64}@[A-Za-z][A-Za-z0-9._-]{1,31})![A-Za-z][A-Za-z0-9._-]{1,127})=([0-9A-Fa-f-]{36})$/u;

/** Undefined when the text is no token; what it is instead is not said, because it may be another secret. */
export const tokenOf = (secret: Secret): ApiToken | undefined => {
  const text = secret.reveal().trim();
  const [, name, user, half] = TOKEN.exec(text) ?? [];
  if (name === undefined || user === undefined || half === undefined) return undefined;
  return { half: new Secret(half), header: new Secret(`PVEAPIToken=${text}`), name, user };
};
