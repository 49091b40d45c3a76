// How tests and their child processes open a ledger on sqlite.

import type { Opened } from "../../src/ledger/engine.ts";
import { openSqlite } from "../../src/ledger/engines/sqlite/sqlite.ts";

export const open = (where: string): Promise<Opened> => openSqlite(where, { mode: "write" });
