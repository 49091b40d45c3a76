// The address of a service, as a person writes it: https, and plain http to this machine alone. keeps B4
//
// An origin and nothing more: a name, a password, a path or a query in it would be sent somewhere or mean nothing.

import { isOrigin } from "../dedalus/dedalus-fields.ts";

export type ServerAddress = {
  /** As it stands in a Host header. */
  readonly authority: string;
  readonly host: string;
  readonly isTls: boolean;
  readonly origin: string;
  readonly port: number;
};

/** `plain`: it would cross a network unverified. `form`: it is no origin. */
export type AddressFault = "form" | "plain";

export const serverAddressIn = (text: string): AddressFault | ServerAddress => {
  const written = text.toLowerCase().replace(/\/$/, "");
  if (!isOrigin(written)) return /^http:\/\/[^@]*$/.test(written) ? "plain" : "form";
  const { host: authority, hostname, origin, port, protocol } = new URL(written);
  const isTls = protocol === "https:";
  const host = hostname.replace(/^\[|\]$/g, "");
  return { authority, host, isTls, origin, port: port === "" ? (isTls ? 443 : 80) : Number(port) };
};
