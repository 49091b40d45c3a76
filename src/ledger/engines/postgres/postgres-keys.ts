// The uses of keys on PostgreSQL: one by its name, and all of them in the order of the keys.

import type { Sha256 } from "../../../spine/model.ts";
import { isSha256 } from "../../../spine/values/hash.ts";
import type { KeyUse } from "../../engine.ts";
import type { Ulid } from "../../record/record.ts";
import { isUlid, ulidBytes, ulidText } from "../../record/ulid.ts";
import { LedgerDamage } from "../../verify/damage.ts";
import { runQuery } from "./postgres-reader.ts";
import type { PostgresSession } from "./postgres-session.ts";
import { bytesAt, columnInteger, type PostgresRow } from "./postgres-values.ts";

const PIECE_USES = 512;

const LOOKUP = { name: "lookup", text: "SELECT request, seq FROM dedalus_ledger.keys WHERE key = $1 AND caller = $2" };
const USES = {
  name: "uses",
  text: `
    SELECT key, caller, request, seq FROM dedalus_ledger.keys
    WHERE (key, caller) > ($1, $2) ORDER BY key, caller LIMIT ${PIECE_USES}`,
};

const requestAt = (row: PostgresRow): Sha256 => {
  const request = bytesAt(row, "request").toString("hex");
  if (isSha256(request)) return request;
  throw new LedgerDamage(columnInteger(row, "seq"), { cause: "request-unreadable", facts: {} });
};

export const readUse = async (
  session: PostgresSession,
  caller: string,
  key: Ulid,
): Promise<Omit<KeyUse, "caller" | "key"> | undefined> => {
  const [row] = await runQuery(session, { ...LOOKUP, values: [ulidBytes(key), Buffer.from(caller)] });
  return row === undefined ? undefined : { request: requestAt(row), seq: columnInteger(row, "seq") };
};

export async function* readUses(session: PostgresSession): AsyncGenerator<KeyUse> {
  let last: readonly [key: Buffer, caller: Buffer] = [Buffer.of(), Buffer.of()];
  for (;;) {
    const rows = await runQuery(session, { ...USES, values: [...last] });
    for (const row of rows) {
      const seq = columnInteger(row, "seq");
      last = [bytesAt(row, "key"), bytesAt(row, "caller")];
      const [key, caller] = [ulidText(last[0]), last[1].toString()];
      if (!isUlid(key)) throw new LedgerDamage(seq, { cause: "key-unreadable", facts: {} });
      yield { caller, key, request: requestAt(row), seq };
    }
    if (rows.length < PIECE_USES) return;
  }
}
