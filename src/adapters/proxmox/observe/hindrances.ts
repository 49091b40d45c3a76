// What PVE forbids at the moment, or what could not be judged afterwards, in words an operator can act on. Keeps P7-F1.
//
// One rule is one function of what was seen. What PVE would refuse anyway is hindered too, so that it is never planned.

import type { ActionKind, Hindrance } from "../../../spine/model.ts";
import { ACTIONS } from "../../../spine/rules/actions.ts";
import { type Guest, whyNoSnapshot } from "../api/names.ts";
import { shownText } from "../api/shown.ts";
import type { Quorum } from "./cluster.ts";
import { digestOf, identityOf, isOn, lockOf, losesSize, nameOf, resizeManner, type Settings } from "./guest-config.ts";
import type { Status } from "./run-state.ts";

export type Seen = {
  readonly atWork: string | undefined; // the type of a task that runs on it
  readonly guest: Guest;
  readonly newSnapshot: string | undefined; // the name of one that is to be made
  readonly quorum: Quorum;
  readonly settings: Settings;
  readonly status: Extract<Status, { readonly kind: "seen" }>;
};

type Rule = (seen: Seen) => Hindrance | undefined;

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

const locked: Rule = ({ settings, status }) => {
  const lock = status.lock ?? lockOf(settings);
  if (lock === undefined) return undefined;
  return {
    actions: "all",
    because:
      lock === "suspended"
        ? "it is hibernated to disk (lock suspended): a start would resume it"
        : `it is locked (${shownText(lock).slice(0, 40)}): an operation owns it`,
  };
};

const atWork: Rule = ({ atWork }) =>
  atWork === undefined ? undefined : { actions: "all", because: `a task of PVE is at work on it (${atWork})` };

const template: Rule = ({ settings, status }) =>
  status.isTemplate || isOn(settings, "template") ? { actions: "all", because: "it is a template" } : undefined;

const nameless: Rule = ({ guest, settings }) =>
  nameOf(settings, guest.kind) === undefined
    ? { actions: "all", because: "its configuration has no name, and the one shown is made up from its id" }
    : undefined;

const quorum: Rule = ({ quorum }) => {
  if (quorum === "present") return undefined;
  if (quorum === "lost") {
    return {
      actions: "all",
      because:
        "the cluster has no quorum: nothing can be started or written, and what stops could not be started again",
    };
  }
  return { actions: ONE_WAY, because: `${quorum.because}; without quorum this could not be taken back` };
};

const monitor: Rule = ({ status: { run } }) => {
  switch (run.kind) {
    case "silent":
      return {
        actions: allBut("vm.stop"),
        because: "its process exists and its monitor does not answer, so whether the guest executes is not confirmed",
      };
    case "halted":
      return {
        actions: allBut("vm.stop", "vm.reset"),
        because: `its process exists and the guest does not execute (${run.word})`,
      };
    case "moving":
      return { actions: "all", because: `an operation is moving or saving its memory (${run.word})` };
    default:
      return undefined;
  }
};

const highAvailability: Rule = ({ status: { ha } }) => {
  if (ha.kind === "none") return undefined;
  if (!ha.isSettled) return { actions: "all", because: `the HA manager is at work on it (state ${ha.state})` };
  return {
    actions: ["vm.snapshot.rollback", "vm.delete"],
    because: "the HA manager runs it and would act on it in between",
  };
};

const container: Rule = ({ guest }) =>
  guest.kind === "vm"
    ? undefined
    : {
        actions: ["vm.reset", "vm.suspend", "vm.resume"],
        because: "a container has no reset, and PVE does not show whether one is suspended",
      };

const containerSizes: Rule = ({ guest, status }) =>
  guest.kind === "ct" && status.run.kind !== "stopped"
    ? { actions: ["vm.resize"], because: "a running container may take some sizes at once and others not" }
    : undefined;

const mixedSizes: Rule = ({ guest, settings, status }) =>
  guest.kind === "vm" && status.run.kind !== "stopped" && resizeManner(settings) === "mixed"
    ? {
        actions: ["vm.resize"],
        because: "its hotplug settings cover one size and not the other, so when a size takes effect cannot be said",
      }
    : undefined;

const lostSizes: Rule = ({ settings }) =>
  losesSize(settings)
    ? { actions: ["vm.resize"], because: "the removal of a size waits for a restart, and what follows is not shown" }
    : undefined;

const unlockable: Rule = ({ settings }) =>
  digestOf(settings) === undefined
    ? { actions: ["vm.resize"], because: "its configuration shows no digest, so another writer could not be noticed" }
    : undefined;

const rebootUnseen: Rule = ({ status: { pid, run } }) =>
  run.kind !== "stopped" && pid === undefined
    ? { actions: ["vm.reboot"], because: "PVE shows no process of it, so a restart could not be proven" }
    : undefined;

const protection: Rule = ({ settings }) =>
  isOn(settings, "protection") ? { actions: ["vm.delete"], because: "its protection is on in PVE" } : undefined;

const unidentified: Rule = ({ guest, settings }) =>
  identityOf(settings, guest.kind) === undefined
    ? {
        actions: ["vm.delete"],
        because: "its configuration shows nothing that would tell it from another with this id",
      }
    : undefined;

const snapshotName: Rule = ({ guest, newSnapshot }) => {
  const because = newSnapshot === undefined ? undefined : whyNoSnapshot(newSnapshot, guest.kind);
  return because === undefined ? undefined : { actions: ["vm.snapshot.create"], because };
};

const NOT_OFFERED: Hindrance = {
  actions: ["vm.clone", "vm.migrate"],
  because: "this adapter neither clones nor migrates",
};

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

export const hindrancesOf = (seen: Seen): readonly Hindrance[] => [
  ...RULES.flatMap((rule) => rule(seen) ?? []),
  NOT_OFFERED,
];
