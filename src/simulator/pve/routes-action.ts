// Methods that act on a guest: power, snapshots, destroying, cloning. Not here: migrating (routes-migrate.ts).
//
// What each can refuse at once, and what only its task says, is the world's business (refused-call.ts, acts.ts).

import { isVmid } from "../../spine/model.ts";
import { present } from "../../spine/values/present.ts";
import type { GuestKind } from "../world/settings.ts";
import type { Work } from "../world/world-calls.ts";
import { soon, wrongParameters } from "./api-reply.ts";
import { callGuest, FOLDER, KINDS, onGuest } from "./guest-of.ts";
import { type Context, numberIn, type Route, textIn } from "./route.ts";
import { BOOLEAN, INTEGER, isTrue, NODE, type Params, type Rule, type Schema, TEXT, VMID } from "./schema.ts";

const POWER = onGuest(["VM.PowerMgmt"]);
const SNAPSHOT = onGuest(["VM.Snapshot"]);
const ROLLBACK = onGuest(["VM.Snapshot", "VM.Snapshot.Rollback"], true);
const ROOT_ONLY: Rule = { isForRoot: true, type: "boolean" };
const TIMEOUT: Rule = { min: 0, type: "integer" };
const SNAPNAME: Rule = {
  format: (value) =>
    /^[a-z][a-z0-9_-]+$/i.test(value) ? undefined : `invalid format - invalid configuration ID '${value}'\n`,
  isRequired: true,
  lengthMax: 40,
  type: "string",
};

const timeoutIn = (params: Params): { readonly timeoutMs?: number } => {
  const seconds = numberIn(params, "timeout");
  return seconds === undefined ? {} : { timeoutMs: seconds * 1000 };
};

type Verb = {
  readonly name: string;
  readonly kinds: readonly GuestKind[];
  readonly schema: Schema;
  readonly work: (params: Params) => Work;
};

const VERBS: readonly Verb[] = [
  {
    kinds: KINDS,
    name: "start",
    schema: { machine: TEXT, skiplock: ROOT_ONLY, timeout: TIMEOUT },
    work: () => ({ verb: "start" }),
  },
  {
    kinds: KINDS,
    name: "stop",
    schema: { keepActive: ROOT_ONLY, "overrule-shutdown": BOOLEAN, skiplock: ROOT_ONLY, timeout: TIMEOUT },
    work: () => ({ verb: "stop" }),
  },
  {
    kinds: KINDS,
    name: "shutdown",
    schema: { forceStop: BOOLEAN, keepActive: ROOT_ONLY, skiplock: ROOT_ONLY, timeout: TIMEOUT },
    work: (params) => ({ isForced: isTrue(params.get("forceStop")), verb: "shutdown", ...timeoutIn(params) }),
  },
  {
    kinds: KINDS,
    name: "reboot",
    schema: { timeout: TIMEOUT },
    work: (params) => ({ verb: "reboot", ...timeoutIn(params) }),
  },
  { kinds: ["vm"], name: "reset", schema: { skiplock: ROOT_ONLY }, work: () => ({ verb: "reset" }) },
  {
    kinds: KINDS,
    name: "suspend",
    schema: { skiplock: ROOT_ONLY, statestorage: TEXT, todisk: BOOLEAN },
    work: (params) => ({ isToDisk: isTrue(params.get("todisk")), verb: "suspend" }),
  },
  {
    kinds: KINDS,
    name: "resume",
    schema: { nocheck: BOOLEAN, skiplock: ROOT_ONLY },
    work: () => ({ verb: "resume" }),
  },
];

const snapshotWork = (params: Params): Work => {
  const description = params.get("description");
  return {
    ...present({ description }),
    snapshot: textIn(params, "snapname"),
    verb: "snapshot",
    withMemory: isTrue(params.get("vmstate")),
  };
};

const clone = (context: Context, kind: GuestKind) => {
  const newid = Number(context.params.get("newid"));
  const name = context.params.get(kind === "vm" ? "name" : "hostname");
  if (!isVmid(newid)) return soon(wrongParameters({ newid: "invalid vmid" }));
  return callGuest(context, kind, { newid, verb: "clone", ...present({ name }) });
};

const routesOf = (kind: GuestKind): readonly Route[] => {
  const base = `/nodes/{node}/${FOLDER[kind]}/{vmid}`;
  const guest = { node: NODE, vmid: VMID };
  const powers = VERBS.filter(({ kinds }) => kinds.includes(kind)).map(
    ({ name, schema, work }): Route => ({
      answer: (context) => callGuest(context, kind, work(context.params)),
      method: "POST",
      need: POWER,
      path: `${base}/status/${name}`,
      schema: { ...guest, ...schema },
    }),
  );
  return [
    ...powers,
    {
      answer: (context) => callGuest(context, kind, snapshotWork(context.params)),
      method: "POST",
      need: SNAPSHOT,
      path: `${base}/snapshot`,
      schema: { ...guest, description: TEXT, snapname: SNAPNAME, ...(kind === "vm" ? { vmstate: BOOLEAN } : {}) },
    },
    {
      answer: (context) =>
        callGuest(context, kind, {
          snapshot: textIn(context.params, "snapname"),
          thenStart: isTrue(context.params.get("start")),
          verb: "rollback",
        }),
      method: "POST",
      need: ROLLBACK,
      path: `${base}/snapshot/{snapname}/rollback`,
      schema: { ...guest, snapname: SNAPNAME, start: BOOLEAN },
    },
    {
      answer: (context) =>
        callGuest(context, kind, { snapshot: textIn(context.params, "snapname"), verb: "delete-snapshot" }),
      method: "DELETE",
      need: SNAPSHOT,
      path: `${base}/snapshot/{snapname}`,
      schema: { ...guest, force: BOOLEAN, snapname: SNAPNAME },
    },
    {
      answer: (context) => callGuest(context, kind, { isPurge: isTrue(context.params.get("purge")), verb: "destroy" }),
      method: "DELETE",
      need: onGuest(["VM.Allocate"]),
      path: base,
      schema: { ...guest, "destroy-unreferenced-disks": BOOLEAN, force: BOOLEAN, purge: BOOLEAN, skiplock: ROOT_ONLY },
    },
    {
      answer: (context) => clone(context, kind),
      method: "POST",
      need: onGuest(["VM.Clone"]),
      path: `${base}/clone`,
      schema: {
        ...guest,
        bwlimit: INTEGER,
        description: TEXT,
        format: TEXT,
        full: BOOLEAN,
        hostname: TEXT,
        name: TEXT,
        newid: VMID,
        pool: TEXT,
        snapname: TEXT,
        storage: TEXT,
        target: TEXT,
      },
    },
  ];
};

export const ACTION_ROUTES: readonly Route[] = KINDS.flatMap(routesOf);
