// What PVE forbids at the moment, or what could not be judged afterwards, as codes of the spine's table. Keeps P7-F1.
//
// One rule is one function of what was seen. What PVE would refuse anyway is blocked too, so that it is never planned.

import type { ActionKind, Blocker } from "../../../spine/model.ts";
import { type BlockerCode, blocking, type Stated } from "../../../spine/observed-codes.ts";
import { ACTIONS } from "../../../spine/rules/actions.ts";
import { shownText } from "../../../spine/values/shown-text.ts";
import { type GuestRef, whyNoSnapshot } from "../api/names.ts";
import type { Quorum } from "./cluster.ts";
import {
  type ConfigSettings,
  configDigest,
  identityOf,
  isOn,
  lockOf,
  losesSize,
  nameOf,
  resizeManner,
} from "./guest-config.ts";
import type { Status } from "./run-state.ts";

export type GuestEvidence = {
  readonly atWork: string | undefined; // the type of a task that runs on it
  readonly guest: GuestRef;
  readonly newSnapshot: string | undefined; // the name of one that is to be made
  readonly quorum: Quorum;
  readonly settings: ConfigSettings;
  readonly status: Extract<Status, { readonly kind: "seen" }>;
};

type Rule = (seen: GuestEvidence) => Blocker | undefined;

const KINDS = Object.keys(ACTIONS) as readonly ActionKind[];
const allBut = (...allowed: readonly ActionKind[]): readonly ActionKind[] =>
  KINDS.filter((kind) => !allowed.includes(kind));

/** What cannot be taken back when nothing can be started or written afterwards. */
const ONE_WAY: readonly ActionKind[] = [
  "vm.shutdown",
  "vm.reboot",
  "vm.suspend",
  "vm.stop",
  "vm.snapshot.rollback",
  "vm.snapshot.delete",
  "vm.delete",
];

const onAll = (stated: Stated<BlockerCode>): Blocker => ({ actions: "all", ...stated });
const on = (actions: readonly ActionKind[], stated: Stated<BlockerCode>): Blocker => ({ actions, ...stated });

const locked: Rule = ({ settings, status }) => {
  const lock = status.lock ?? lockOf(settings);
  if (lock === undefined) return undefined;
  return onAll(
    lock === "suspended"
      ? blocking("hibernated")
      : blocking("locked", { facts: { lock: shownText(lock).slice(0, 40) } }),
  );
};

const atWork: Rule = ({ atWork }) =>
  atWork === undefined ? undefined : onAll(blocking("task-at-work", { facts: { task: atWork } }));

const template: Rule = ({ settings, status }) =>
  status.isTemplate || isOn(settings, "template") ? onAll(blocking("template")) : undefined;

const nameless: Rule = ({ guest, settings }) =>
  nameOf(settings, guest.kind) === undefined ? onAll(blocking("name-not-shown")) : undefined;

const quorum: Rule = ({ quorum }) => {
  if (quorum === "present") return undefined;
  if (quorum === "lost") return onAll(blocking("quorum-lost"));
  return on(ONE_WAY, blocking("quorum-not-seen", quorum));
};

const monitor: Rule = ({ status: { run } }) => {
  switch (run.kind) {
    case "silent":
      return on(allBut("vm.stop"), blocking("monitor-silent"));
    case "halted":
      return on(allBut("vm.stop", "vm.reset"), blocking("guest-halted", { facts: { state: run.word } }));
    case "moving":
      return onAll(blocking("memory-moving", { facts: { state: run.word } }));
    default:
      return undefined;
  }
};

const highAvailability: Rule = ({ status: { ha } }) => {
  if (ha.kind === "none") return undefined;
  if (!ha.isSettled) return onAll(blocking("ha-at-work", { facts: { state: ha.state } }));
  return on(["vm.snapshot.rollback", "vm.delete"], blocking("ha-managed"));
};

const container: Rule = ({ guest }) =>
  guest.kind === "vm" ? undefined : on(["vm.reset", "vm.suspend", "vm.resume"], blocking("containers-lack-it"));

const containerSizes: Rule = ({ guest, status }) =>
  guest.kind === "ct" && status.run.kind !== "stopped"
    ? on(["vm.resize"], blocking("running-container-sizes"))
    : undefined;

const mixedSizes: Rule = ({ settings, status }) =>
  status.run.kind !== "stopped" && resizeManner(settings) === "mixed"
    ? on(["vm.resize"], blocking("sizes-mixed"))
    : undefined;

const lostSizes: Rule = ({ settings }) =>
  losesSize(settings) ? on(["vm.resize"], blocking("size-removal-pending")) : undefined;

const unlockable: Rule = ({ settings }) =>
  configDigest(settings) === undefined ? on(["vm.resize"], blocking("revision-not-shown")) : undefined;

const rebootUnseen: Rule = ({ status: { pid, run } }) =>
  run.kind !== "stopped" && pid === undefined ? on(["vm.reboot"], blocking("process-not-shown")) : undefined;

const protection: Rule = ({ settings }) =>
  isOn(settings, "protection") ? on(["vm.delete"], blocking("protected-at-provider")) : undefined;

const unidentified: Rule = ({ guest, settings }) =>
  identityOf(settings, guest.kind) === undefined ? on(["vm.delete"], blocking("identity-not-shown")) : undefined;

const snapshotName: Rule = ({ guest, newSnapshot }) => {
  const why = newSnapshot === undefined ? undefined : whyNoSnapshot(newSnapshot, guest.kind);
  return why === undefined ? undefined : on(["vm.snapshot.create"], why);
};

const NOT_OFFERED: Blocker = on(["vm.clone", "vm.migrate"], blocking("action-not-offered"));

const RULES: readonly Rule[] = [
  locked,
  atWork,
  template,
  nameless,
  quorum,
  monitor,
  highAvailability,
  container,
  containerSizes,
  mixedSizes,
  lostSizes,
  unlockable,
  rebootUnseen,
  protection,
  unidentified,
  snapshotName,
];

export const blockersOf = (seen: GuestEvidence): readonly Blocker[] => [
  ...RULES.flatMap((rule) => rule(seen) ?? []),
  NOT_OFFERED,
];
