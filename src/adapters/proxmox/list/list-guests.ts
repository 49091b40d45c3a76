// All guests that the token can see: the cluster's list says which, and each is observed as if it were wanted.
//
// PVE leaves out of its list whatever the token may not see, and says nothing of it.

import { gap } from "../../../spine/observed-codes.ts";
import type { Inventory } from "../../inventory.ts";
import type { Source } from "../../source.ts";
import type { PveReader } from "../api/pve-reader.ts";
import { whyNot } from "../api/pve-reply.ts";
import { whereaboutsOf } from "../observe/whereabouts.ts";

export const listGuests =
  (reader: Pick<PveReader, "resources">, source: Source): Inventory =>
  async (signal) => {
    const list = await reader.resources(signal);
    if (list.kind !== "data") {
      return { kind: "unanswered", unseen: gap("list-not-seen", { diagnostic: whyNot(list) }) };
    }
    const where = whereaboutsOf(list.data);
    if (where.kind === "unreadable") {
      return { kind: "unanswered", unseen: gap("list-not-seen", { diagnostic: where.why }) };
    }
    const wanted = Array.from(where.rows.keys(), (vmid) => ({ vmid }));
    return { kind: "listed", observation: await source.observe(wanted, signal), unread: where.unread };
  };
