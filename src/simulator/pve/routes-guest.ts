// Methods that read a guest: a node's lists, current status, configuration, what waits, and snapshots.

import type { GuestKind } from "../world/settings.ts";
import type { SimulatedGuest } from "../world/world.ts";
import { isPermitted } from "./access.ts";
import { data, died, type Replied, soon } from "./api-reply.ts";
import { FOLDER, KINDS, onGuest, readGuest } from "./guest-of.ts";
import { type Context, type Route, textIn } from "./route.ts";
import { BOOLEAN, isTrue, NODE, TEXT, VMID } from "./schema.ts";
import { configRow, pendingRows, snapshotConfig, snapshotRows } from "./view-config.ts";
import { currentRow, listRow, monitorAnswers } from "./view-guest.ts";

/** A monitor that does not answer is waited for that long. */
const MONITOR_MS = 3000;
const AUDIT = onGuest(["VM.Audit"]);

const waitFor = (guest: SimulatedGuest): number =>
  guest.kind === "vm" && guest.run.kind === "running" && !monitorAnswers(guest) ? MONITOR_MS : 0;

const list = ({ params, provider, setup, weigh, who }: Context, kind: GuestKind): Replied => {
  const fate = provider.beforeRead(undefined);
  if (fate.lost !== undefined) return soon({ how: fate.lost, kind: "lost" });
  const world = provider.world();
  const isFull = isTrue(params.get("full"));
  const seen = Array.from(world.guests.values()).filter(
    (guest) =>
      guest.kind === kind &&
      guest.node === textIn(params, "node") &&
      isPermitted(weigh, who, { path: `/vms/${guest.vmid}`, privileges: ["VM.Audit"] }),
  );
  const rows = seen.map((guest) => listRow(guest, world.nowMs, setup.dialect, isFull));
  provider.afterRead(undefined);
  const waitedMs = isFull ? seen.reduce((sum, guest) => sum + waitFor(guest), 0) : 0;
  return { delayMs: fate.delayMs + waitedMs, reply: data(rows) };
};

const routesOf = (kind: GuestKind): readonly Route[] => {
  const base = `/nodes/{node}/${FOLDER[kind]}`;
  const guest = { node: NODE, vmid: VMID };
  return [
    {
      answer: (context) => list(context, kind),
      method: "GET",
      path: base,
      schema: { node: NODE, ...(kind === "vm" ? { full: BOOLEAN } : {}) },
    },
    {
      answer: (context) => {
        const { nowMs } = context.world;
        return readGuest(context, kind, (one) => data(currentRow(one, nowMs, context.setup.dialect)), waitFor);
      },
      method: "GET",
      need: AUDIT,
      path: `${base}/{vmid}/status/current`,
      schema: guest,
    },
    {
      answer: (context) =>
        readGuest(context, kind, ({ file }) => {
          const name = context.params.get("snapshot");
          if (name === undefined) return data(configRow(file, kind, isTrue(context.params.get("current"))));
          const kept = snapshotConfig(file, kind, name);
          return kept === undefined ? died(`snapshot '${name}' does not exist`) : data(kept);
        }),
      method: "GET",
      need: AUDIT,
      path: `${base}/{vmid}/config`,
      schema: { ...guest, current: BOOLEAN, snapshot: TEXT },
    },
    {
      answer: (context) => readGuest(context, kind, ({ file }) => data(pendingRows(file, kind))),
      method: "GET",
      need: AUDIT,
      path: `${base}/{vmid}/pending`,
      schema: guest,
    },
    {
      answer: (context) =>
        readGuest(context, kind, ({ file, run }) => data(snapshotRows(file, kind, run.kind === "running"))),
      method: "GET",
      need: AUDIT,
      path: `${base}/{vmid}/snapshot`,
      schema: guest,
    },
    {
      answer: (context) =>
        readGuest(context, kind, () =>
          data(["current", "start", "stop", "shutdown", "reboot"].map((subdir) => ({ subdir }))),
        ),
      method: "GET",
      path: `${base}/{vmid}/status`,
      schema: guest,
    },
  ];
};

export const GUEST_ROUTES: readonly Route[] = KINDS.flatMap(routesOf);
