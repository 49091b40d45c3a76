// One action of every kind, with parameters that nothing speaks against.

import type { Action, ActionKind } from "../../src/spine/model.ts";
import { vmidOf } from "./world.ts";

const ONE_OF_EACH: Readonly<Record<ActionKind, Action>> = {
  "vm.clone": { kind: "vm.clone", name: "web-09", to: vmidOf(109) },
  "vm.delete": { kind: "vm.delete" },
  "vm.migrate": { kind: "vm.migrate", node: "pve2" },
  "vm.reboot": { kind: "vm.reboot" },
  "vm.reset": { kind: "vm.reset" },
  "vm.resize": { cpus: 4, kind: "vm.resize" },
  "vm.resume": { kind: "vm.resume" },
  "vm.shutdown": { kind: "vm.shutdown" },
  "vm.snapshot.create": { kind: "vm.snapshot.create", snapshot: "before" },
  "vm.snapshot.delete": { kind: "vm.snapshot.delete", snapshot: "before" },
  "vm.snapshot.rollback": { kind: "vm.snapshot.rollback", snapshot: "before" },
  "vm.start": { kind: "vm.start" },
  "vm.stop": { kind: "vm.stop" },
  "vm.suspend": { kind: "vm.suspend" },
};

export const actionOf = (kind: ActionKind): Action => ONE_OF_EACH[kind];
