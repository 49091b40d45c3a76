// A client of one person or agent, with the types of the OpenAPI file: their token, a key for each POST, and answers
// and problems told apart by the compiler.

import { randomBytes } from "node:crypto";
import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./generated/openapi.ts";
import { type Description, heldTo } from "./held-to-description.ts";

export type DedalusClient = Client<paths>;
export type Problem = components["schemas"]["problem"];
export type LedgerRecord = components["schemas"]["record"];

export const connect = (baseUrl: string, token: string, description: Description): DedalusClient => {
  const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });
  client.use(heldTo(description));
  return client;
};

/** A UUIDv7. A request that may be sent again after a lost reply keeps its key. */
export const newKey = (): { readonly "Idempotency-Key": string } => {
  const time = Date.now().toString(16).padStart(12, "0");
  const rest = randomBytes(9).toString("hex");
  const key = `${time.slice(0, 8)}-${time.slice(8)}-7${rest.slice(0, 3)}-8${rest.slice(3, 6)}-${rest.slice(6)}`;
  return { "Idempotency-Key": key };
};

/** The two ends of a request, as openapi-fetch tells them apart. */
type Reply<T> =
  | { readonly data: T; readonly error?: never; readonly response: Response }
  | { readonly data?: never; readonly error: Problem; readonly response: Response };

export const granted = <T>({ data, error }: Reply<T>): T => {
  if (error === undefined) return data;
  throw new Error(`refused: ${error.refusals.map(({ code }) => code).join(", ")}: ${error.detail}`);
};

export const refused = ({ data, error }: Reply<unknown>): Problem => {
  if (error !== undefined) return error;
  throw new Error(`not refused: ${JSON.stringify(data)}`);
};
