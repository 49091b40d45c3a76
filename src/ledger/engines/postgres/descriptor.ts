// The postgres engine as the rest of Dedalus knows it: a server whose address is a secret.

import { ledgerTlsAt, secretAt } from "../../../formats/dedalus/dedalus-guards.ts";
import type { LedgerLocation } from "../../engine.ts";
import { describeEngine } from "../descriptor.ts";
import { isPostgresUrl } from "./address.ts";
import type { PostgresTrust } from "./postgres-target.ts";

export const postgres = describeEngine({
  at: ({ tls, url }, given) => {
    const address = given.secret(url);
    if (typeof address !== "string") return address;
    const trust = tls === undefined ? undefined : given.trust(tls);
    return trust !== undefined && "code" in trust ? trust : locationOf(address, trust);
  },
  keys: { url: secretAt },
  name: "postgres",
  optional: { tls: ledgerTlsAt },
  secrets: ({ url }) => [url],
  target: ({ value }) => (isPostgresUrl(value) ? locationOf(value, undefined) : undefined),
});

const locationOf = (url: string, trust: PostgresTrust | undefined): LedgerLocation => ({
  claims: () => [],
  readOnlyMark: async () => (await import("./postgres.ts")).readPostgresMark(url, trust),
  name: async () => {
    const target = (await import("./postgres-target.ts")).targetOf(url, trust);
    return target.kind === "refused" ? "postgres" : target.name;
  },
  owners: async () => (await import("./postgres-owners.ts")).postgresOwners(url, trust),
  open: async (mode) =>
    (await import("./postgres.ts")).openPostgres(url, { mode, ...(trust === undefined ? {} : { trust }) }),
});
