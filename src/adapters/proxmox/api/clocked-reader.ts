// A reader that also notes what time it is there: the Date header of the last answer that came back.
//
// pveproxy puts its own clock into every answer, also into one that it fetched from another node
// (PVE::APIServer::AnyEvent, response(), in pve-http-server), so that it is one clock however many nodes are asked. Not
// here: whether it is right.

import type { Instant } from "../../../spine/model.ts";
import { instantOf } from "../../../spine/values/instant.ts";
import { secondsOfDate } from "./provider-clock.ts";
import type { PveReader } from "./pve-reader.ts";
import type { PveReply } from "./pve-reply.ts";

export type ClockedReader = {
  /** Undefined while no answer has shown one. */
  readonly providerTime: () => Instant | undefined;
  readonly reader: PveReader;
};

export const clockedReader = (reader: PveReader): ClockedReader => {
  let seconds: number | undefined;
  let read: string | undefined;
  const noted = async (asked: Promise<PveReply>): Promise<PveReply> => {
    const reply = await asked;
    // Hundreds of answers share a second.
    if (reply.kind !== "data" || reply.date === read) return reply;
    read = reply.date;
    seconds = secondsOfDate(read) ?? seconds;
    return reply;
  };
  return {
    providerTime: () => (seconds === undefined ? undefined : instantOf(seconds * 1_000)),
    reader: {
      acl: (...of) => noted(reader.acl(...of)),
      activeTasks: (...of) => noted(reader.activeTasks(...of)),
      clusterStatus: (...of) => noted(reader.clusterStatus(...of)),
      config: (...of) => noted(reader.config(...of)),
      permissions: (...of) => noted(reader.permissions(...of)),
      resources: (...of) => noted(reader.resources(...of)),
      snapshots: (...of) => noted(reader.snapshots(...of)),
      status: (...of) => noted(reader.status(...of)),
      task: (...of) => noted(reader.task(...of)),
      tasks: (...of) => noted(reader.tasks(...of)),
      version: (...of) => noted(reader.version(...of)),
    },
  };
};
