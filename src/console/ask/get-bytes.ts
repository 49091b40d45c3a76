// One read of the service as the bytes that it came in: what is hashed must not have been a text in between.

import { type RequestAt, ROUTES } from "../../boundary/contract/routes.ts";
import { requestWritten } from "../../boundary/contract/travel.ts";
import { headNamedIn, type ReadHead, type Unheard, unheardIn } from "./get.ts";

export type BytesRead = { readonly bytes: Uint8Array; readonly head?: ReadHead; readonly kind: "bytes" };

export const readServiceBytes = async (path: string, signal?: AbortSignal): Promise<BytesRead | Unheard> => {
  try {
    const reply = await fetch(path, { cache: "no-store", redirect: "error", ...(signal && { signal }) });
    if (reply.status !== 200) return unheardIn(reply);
    const bytes = new Uint8Array(await reply.arrayBuffer());
    const head = headNamedIn(reply);
    return { bytes, kind: "bytes", ...(head && { head }) };
  } catch {
    return { kind: "lost" };
  }
};

/** The most that a page of records has. */
export const RECORDS_PAGE = 500;

/** As it was typed: what does not fit is the service's to refuse. */
export type RecordsAsked = { readonly [Field in keyof RequestAt<"records">]?: number | string };

export const recordsPath = (request: RecordsAsked, limit = RECORDS_PAGE): string =>
  `${requestWritten(ROUTES.records, request).path}&limit=${limit}`;
