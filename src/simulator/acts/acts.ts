// What one stage of a task does to its guest, as a table: the only place where a call changes anything.
//
// Each act writes its deed into the journal where it happens. An act that cannot be done gives the text of the error,
// in the words of Proxmox VE, and changes nothing. Not here: refusals before a task exists (refused-call.ts).

import { configured } from "../world/configure.ts";
import { withSettings } from "../world/guest-file.ts";
import { checked } from "../world/in-task-checks.ts";
import type { Act } from "../world/stage-act.ts";
import { type Acted, done, error, type On, write } from "./acted.ts";
import { cloneBegun, cloneMade, destroyed, disksRemoved } from "./acts-life.ts";
import { haAsked, hibernated, launched, off, running, wasReset } from "./acts-power.ts";
import { rollbackBegun, rolledBack, snapshotBegun, snapshotGone, snapshotMade } from "./acts-snapshot.ts";

export const act = (on: On, given: Act): Acted => {
  switch (given.do) {
    case "nothing":
      return done(on.world);
    case "fail":
      return error(given.text);
    case "check": {
      const text = checked(on.guest, given.work);
      return text === undefined ? done(on.world) : error(text);
    }
    case "launch":
      return launched(on);
    case "execute":
      return running(on, "running", { effect: "executing", power: "none" });
    case "power-off":
      return off(on);
    case "reset":
      return wasReset(on);
    case "pause":
      return running(on, "paused", { effect: "paused", power: "interrupts" });
    case "resume":
      return on.guest.file.settings.get("lock") === "suspended"
        ? launched(on)
        : running(on, "running", { effect: "resumed", power: "starts" });
    case "hibernate":
      return hibernated(on);
    case "ask-ha":
      return haAsked(on, given.verb);
    case "lock":
      return write(on, withSettings(on.guest.file, { lock: given.lock }), { effect: "locked", power: "none" });
    case "snapshot-begin":
      return snapshotBegun(on, given);
    case "snapshot-commit":
      return snapshotMade(on, given.snapshot);
    case "snapshot-remove":
      return snapshotGone(on, given.snapshot);
    case "rollback-begin":
      return rollbackBegun(on);
    case "rollback-commit":
      return rolledBack(on, given.snapshot);
    case "configure": {
      const acted = write(on, configured(on.guest, given.edits, given.reverts), {
        effect: "configured",
        power: "none",
      });
      const pairs = Object.entries(given.edits).map(([key, value]) =>
        value === undefined ? `-delete ${key}` : `-${key} ${value}`,
      );
      return acted.kind === "done" ? { ...acted, log: [`update VM ${on.guest.vmid}: ${pairs.join(" ")}`] } : acted;
    }
    case "remove-disks":
      return disksRemoved(on);
    case "destroy":
      return destroyed(on);
    case "migrate":
      return write(
        on,
        withSettings(on.guest.file, { lock: undefined }),
        { effect: "migrated", power: on.guest.run.kind === "running" ? "interrupts" : "none" },
        { node: given.target },
      );
    case "clone-begin":
      return cloneBegun(on, given);
    case "clone-commit":
      return cloneMade(on, given.newid);
  }
};
