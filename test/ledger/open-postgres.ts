// How tests and their child processes open a ledger on postgres.

import type { Opened } from "../../src/ledger/engine.ts";
import { openPostgres } from "../../src/ledger/engines/postgres/postgres.ts";

export const open = (where: string): Promise<Opened> => openPostgres(where, { mode: "write" });
