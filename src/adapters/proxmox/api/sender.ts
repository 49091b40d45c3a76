// The sending handle: the calls of the catalogue, each with its own parts, and no other. keeps B7
//
// There is no way to hand in a path, a verb or a parameter: what does not fit the types cannot be said, and what fits
// them was checked by its grammar (names.ts). Each call is sent once.

import type { Diagnostic } from "../../../spine/diagnostic-codes.ts";
import { type Endpoint, type HttpCall, sendOnce } from "./connection.ts";
import type { ConfigDigest, GuestRef, SnapshotName } from "./names.ts";
import { pathOf } from "./pve-reader.ts";
import type { PveReply } from "./pve-reply.ts";

/**
 * `objection` is asked when the connection stands: a reason keeps the call from leaving. So does the signal, until
 * then.
 */
export type Leave = { readonly objection: () => Promise<Diagnostic | undefined>; readonly signal: AbortSignal };
export type NewSizes = { readonly cores?: number; readonly memoryMib?: number; readonly vcpus?: number };

type ToGuest = (guest: GuestRef, leave: Leave) => Promise<PveReply>;
type ToSnapshot = (guest: GuestRef, snapshot: SnapshotName, leave: Leave) => Promise<PveReply>;

export type Sender = {
  readonly configure: (guest: GuestRef, sizes: NewSizes, digest: ConfigDigest, leave: Leave) => Promise<PveReply>;
  readonly createSnapshot: ToSnapshot;
  readonly deleteSnapshot: ToSnapshot;
  readonly destroy: ToGuest;
  readonly reboot: ToGuest;
  readonly reset: ToGuest;
  readonly resume: ToGuest;
  readonly rollback: ToSnapshot;
  readonly shutdown: ToGuest;
  readonly start: ToGuest;
  readonly stop: ToGuest;
  readonly suspend: ToGuest;
};

export const senderOf = (endpoint: Endpoint): Sender => {
  const send = sendOnce(endpoint);
  const post = (path: string, form: HttpCall["form"], { objection, signal }: Leave): Promise<PveReply> =>
    send({ form, method: "POST", path }, objection, signal);
  const remove = (path: string, { objection, signal }: Leave): Promise<PveReply> =>
    send({ form: {}, method: "DELETE", path }, objection, signal);
  const power =
    (verb: string): ToGuest =>
    (guest, leave) =>
      post(`${pathOf(guest)}/status/${verb}`, {}, leave);
  return {
    // A container takes its settings at once and has no task for it.
    configure: (guest, sizes, digest, { objection, signal }) =>
      send(
        {
          form: { ...formOf(sizes), digest },
          method: guest.kind === "vm" ? "POST" : "PUT",
          path: `${pathOf(guest)}/config`,
        },
        objection,
        signal,
      ),
    createSnapshot: (guest, snapname, leave) => post(`${pathOf(guest)}/snapshot`, { snapname }, leave),
    deleteSnapshot: (guest, name, leave) => remove(`${pathOf(guest)}/snapshot/${name}`, leave),
    destroy: (guest, leave) => remove(pathOf(guest), leave),
    reboot: power("reboot"),
    reset: power("reset"),
    resume: power("resume"),
    rollback: (guest, name, leave) => post(`${pathOf(guest)}/snapshot/${name}/rollback`, {}, leave),
    shutdown: power("shutdown"),
    start: power("start"),
    stop: power("stop"),
    suspend: power("suspend"),
  };
};

const formOf = ({ cores, memoryMib, vcpus }: NewSizes): HttpCall["form"] => ({
  ...(cores === undefined ? {} : { cores: `${cores}` }),
  ...(memoryMib === undefined ? {} : { memory: `${memoryMib}` }),
  ...(vcpus === undefined ? {} : { vcpus: `${vcpus}` }),
});
