// The table of HTTP statuses, from the one that the door answers by: which codes have which status.

import { STATUSES } from "../../src/boundary/contract/statuses.ts";

type Row = readonly [number, string];

/** A code whose causes differ is told by cause. */
const rows = (): readonly Row[] =>
  Object.entries(STATUSES).flatMap(([code, row]): readonly Row[] => {
    if (typeof row === "number") return [[row, `\`${code}\``]];
    return Object.entries(row).map(([cause, status]) => [
      status,
      cause === "else" ? `\`${code}\`` : `\`${code}\` (${cause})`,
    ]);
  });

export const statusLines = (): readonly string[] => {
  const byStatus = Map.groupBy(rows(), ([status]) => status);
  return [
    "| status | codes |",
    "| --- | --- |",
    ...[...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, all]) => `| ${status} | ${all.map(([, told]) => told).join(", ")} |`),
  ];
};
