// Methods about tasks: their list, status and log. Everybody sees their own; others need Sys.Audit on the node.
//
// A token sees the token's own tasks, its user sees both. The list shows ended tasks unless it is asked for others.

import { present } from "../../spine/values/present.ts";
import { NO_VERDICT, type SimulatedTask } from "../world/tasks.ts";
import { isUpid, nodeOfUpid } from "../world/upid.ts";
import { isAnswering, type World } from "../world/world.ts";
import { forbidden, isPermitted } from "./access.ts";
import { data, notPermitted, type Replied, soon, wrongParameters } from "./api-reply.ts";
import { type Context, numberIn, type Route, textIn } from "./route.ts";
import { BOOLEAN, INTEGER, isTrue, NODE, type Rule, TEXT } from "./schema.ts";

const LIMIT = 50;
const SHOWN_MAX = 25;

const isOwn = ({ who: { token, user } }: Context, task: SimulatedTask): boolean =>
  token === undefined ? task.user === user || task.user.startsWith(`${user}!`) : task.user === token.id;

const mayAudit = ({ weigh, who }: Context, node: string): boolean =>
  isPermitted(weigh, who, { path: `/nodes/${node}`, privileges: ["Sys.Audit"] });

const named = ({ node, startMs, type, upid, user, vmid }: SimulatedTask) => {
  const [name, tokenid] = user.split("!");
  return {
    id: `${vmid}`,
    node,
    starttime: Math.floor(startMs / 1000),
    ...present({ tokenid }),
    type,
    upid,
    user: name,
  };
};

const full = (task: SimulatedTask) => ({ ...named(task), pid: task.pid, pstart: task.pstart });

/** As the node's list has it. */
const ended = (world: World, { state, ...task }: SimulatedTask) =>
  state.kind === "ended" && !isStale(world, { ...task, state })
    ? { endtime: Math.floor(state.atMs / 1000), status: state.status }
    : { status: "RUNNING" };

/**
 * The list is gone through when a worker begins, when the daemon hears of the end of its own, and by pvestatd every ten
 * seconds (pve-common src/PVE/RESTEnvironment.pm, active_workers); until then a task stands in it as it was.
 */
const isStale = (world: World, { isOrphan, node, state }: SimulatedTask): boolean => {
  if (isOrphan !== true || state.kind !== "ended") return false;
  const { atMs } = state;
  if ((world.nodes.get(node)?.report?.atMs ?? 0) >= atMs) return false;
  return !Array.from(world.tasks.values()).some((other) => other.node === node && other.startMs >= atMs);
};

const isError = ({ state }: SimulatedTask): boolean =>
  state.kind === "ended" && !/^(?:OK|WARNINGS: .*)$/.test(state.status);

const isActive = (world: World, task: SimulatedTask): boolean => task.state.kind !== "ended" || isStale(world, task);

const SOURCES: Readonly<Record<string, (world: World, task: SimulatedTask) => boolean>> = {
  active: isActive,
  all: () => true,
  archive: (world, task) => !isActive(world, task),
};

const newestFirst = (tasks: Iterable<SimulatedTask>): readonly SimulatedTask[] =>
  Array.from(tasks)
    .reverse()
    .toSorted((a, b) => b.startMs - a.startMs);

const list = (context: Context): Replied => {
  const { params, world } = context;
  const node = textIn(params, "node");
  const vmid = numberIn(params, "vmid");
  const since = numberIn(params, "since") ?? 0;
  const until = numberIn(params, "until") ?? Number.POSITIVE_INFINITY;
  const type = params.get("typefilter");
  const user = params.get("userfilter");
  const inSource = SOURCES[params.get("source") ?? "archive"] ?? (() => true);
  const canAudit = mayAudit(context, node);
  const found = newestFirst(world.tasks.values()).filter(
    (task) =>
      task.node === node &&
      inSource(world, task) &&
      (canAudit || isOwn(context, task)) &&
      (vmid === undefined || task.vmid === vmid) &&
      (type === undefined || task.type === type) &&
      (user === undefined || task.user.includes(user)) &&
      task.startMs / 1000 >= since &&
      Math.floor(task.startMs / 1000) <= until &&
      (!isTrue(params.get("errors")) || isError(task)),
  );
  const start = numberIn(params, "start") ?? 0;
  const shown = found.slice(start, start + (numberIn(params, "limit") ?? LIMIT));
  return soon(
    data(
      shown.map((task) => ({ ...full(task), ...ended(world, task) })),
      found.length,
    ),
  );
};

const clusterList = (context: Context): Replied => {
  const { world } = context;
  const seen = newestFirst(world.tasks.values())
    .filter((task) => isAnswering(world, task.node) && (mayAudit(context, task.node) || isOwn(context, task)))
    .slice(0, SHOWN_MAX);
  return soon(
    data(seen.map((task) => ({ ...named(task), ...ended(world, task), saved: isActive(world, task) ? "0" : "1" }))),
  );
};

/** The task of a path, or why it is not shown. */
const taskAt = (context: Context): Replied | SimulatedTask => {
  const upid = textIn(context.params, "upid");
  if (!isUpid(upid)) return soon(wrongParameters({ upid: "unable to parse worker upid" }));
  const node = textIn(context.params, "node");
  const task = context.world.tasks.get(upid);
  if (task === undefined || nodeOfUpid(upid) !== node) return soon(wrongParameters({ upid: "no such task" }));
  if (isOwn(context, task) || mayAudit(context, node)) return task;
  return soon(notPermitted(forbidden({ path: `/nodes/${node}`, privileges: ["Sys.Audit"] })));
};

const status = (context: Context): Replied => {
  const task = taskAt(context);
  if ("reply" in task) return task;
  const { state } = task;
  const exit = state.kind === "ended" ? { exitstatus: state.status, status: "stopped" } : { status: "running" };
  return soon(data({ ...full(task), ...exit }));
};

const lastLine = ({ state }: SimulatedTask): readonly string[] => {
  if (state.kind !== "ended" || state.status === NO_VERDICT) return [];
  if (state.status === "OK" || state.status.startsWith("WARNINGS: ")) return [`TASK ${state.status}`];
  return [`TASK ERROR: ${state.status}`];
};

const log = (context: Context): Replied => {
  const task = taskAt(context);
  if ("reply" in task) return task;
  const lines = [...task.log, ...lastLine(task)];
  const texts = lines.length === 0 ? ["no content"] : lines;
  const start = numberIn(context.params, "start") ?? 0;
  const limit = numberIn(context.params, "limit") ?? LIMIT;
  const rows = texts.map((t, at) => ({ n: at + 1, t }));
  return soon(data(rows.slice(start, limit === 0 ? undefined : start + limit), texts.length));
};

const COUNT: Rule = { min: 0, type: "integer" };
const UPID = { node: NODE, upid: { isRequired: true, type: "string" } } as const;

export const TASK_ROUTES: readonly Route[] = [
  {
    answer: list,
    method: "GET",
    path: "/nodes/{node}/tasks",
    schema: {
      errors: BOOLEAN,
      limit: COUNT,
      node: NODE,
      since: INTEGER,
      source: { ...TEXT, oneOf: ["archive", "active", "all"] },
      start: COUNT,
      statusfilter: TEXT,
      typefilter: TEXT,
      until: INTEGER,
      userfilter: TEXT,
      vmid: INTEGER,
    },
  },
  { answer: clusterList, method: "GET", path: "/cluster/tasks", schema: {} },
  { answer: status, method: "GET", path: "/nodes/{node}/tasks/{upid}/status", schema: UPID },
  {
    answer: log,
    method: "GET",
    path: "/nodes/{node}/tasks/{upid}/log",
    schema: { ...UPID, download: BOOLEAN, limit: COUNT, start: COUNT },
  },
];
