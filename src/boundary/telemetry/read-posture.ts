// How things stand when somebody scrapes: the status of the service, where its ledger ends, and how old the newest
// record is.
//
// The process reads at the ledger's own files, as their operator; what it tells are numbers. Undefined where the
// ledger cannot be read. Not here: the gauges (metrics.ts).

import type { Service } from "../../service/service.ts";
import type { Instant } from "../../spine/model.ts";
import { msOf } from "../../spine/values/instant.ts";
import { environmentPostures, type Posture } from "./posture.ts";

const ITSELF = { credential: { kind: "operator" }, door: "local" } as const;

export type PostureGiven = {
  readonly environments: () => readonly string[];
  /** Whether the ledger takes writes. */
  readonly isWritable: () => Promise<boolean>;
  readonly now: () => Instant;
  readonly service: Pick<Service, "records" | "status">;
};

export const readPosture = async ({
  environments,
  isWritable,
  now,
  service,
}: PostureGiven): Promise<Posture | undefined> => {
  const status = await service.status(ITSELF, {});
  if (status.kind === "refused") return undefined;
  const last = Math.max(0, status.head.size - 1);
  const newest = await service.records(ITSELF, { from: last });
  if (newest.kind === "refused") return undefined;
  let headAgeSeconds: number | undefined;
  let size = status.head.size;
  for await (const piece of newest.value.pieces) {
    if (piece.kind === "broken") return undefined;
    headAgeSeconds = Math.max(0, msOf(now()) - msOf(piece.record.processTime)) / 1_000;
    size = Math.max(size, piece.record.seq + 1);
  }
  return {
    environments: environmentPostures(environments(), status.value),
    ...(headAgeSeconds === undefined ? {} : { headAgeSeconds }),
    isReadOnly: !(await isWritable()),
    lagRecords: size - status.value.records,
    overdue: status.value.overdue.length,
    records: size,
  };
};
