// The Proxmox VE adapter as the rest of Dedalus knows it. PVE numbers its guests itself.

import { isHttps } from "../../formats/dedalus/dedalus-fields.ts";
import { credentialsAt, httpsAt, tlsAt } from "../../formats/dedalus/dedalus-guards.ts";
import { present } from "../../spine/values/present.ts";
import { describeAdapter } from "../descriptor.ts";
import { PROXMOX_WORDS } from "./words.ts";

export const proxmox = describeAdapter({
  acts: ({ credentials }) => credentials.apply !== undefined,
  begins: {
    address: "https://host:8006",
    load: async () => (await import("./beginning.ts")).PROXMOX_BEGINNING,
    takes: isHttps,
  },
  keys: { credentials: credentialsAt, tls: tlsAt, url: httpsAt },
  live: true,
  name: "proxmox",
  numbers: "provider",
  open: async ({ credentials, tls, url }, given) => {
    const observe = given.secret(credentials.observe);
    if ("code" in observe) return observe;
    const apply = credentials.apply === undefined ? undefined : given.secret(credentials.apply);
    if (apply !== undefined && "code" in apply) return apply;
    const trust = given.trust(tls);
    if ("code" in trust) return trust;
    const { proxmoxAdapter } = await import("./adapter.ts");
    return proxmoxAdapter({ ...given, ...present({ apply }), observe, tls: trust, url });
  },
  optional: {},
  secrets: ({ credentials: { apply, observe } }) => [observe, ...(apply === undefined ? [] : [apply])],
  words: PROXMOX_WORDS,
});
