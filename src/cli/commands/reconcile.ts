// dedalus reconcile: a fresh look at one VM that ends an unknown outcome. It states what is; it repairs nothing.

import { get } from "../../kernel/state/persistent-map.ts";
import { vmKey } from "../../kernel/state/state.ts";
import { believe } from "../../spine/plan/belief.ts";
import { statusText } from "../../spine/plan/step.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { vmidOf } from "../arguments/vmids.ts";
import type { Run } from "../command.ts";
import { badInput, failed } from "../failure.ts";
import { looked, unlessUnanswered } from "../look.ts";
import { environmentAt, inSession } from "../session.ts";

export const run: Run = async (given, io) => {
  const vmid = vmidOf(given.text.get("vm") ?? "");
  if (vmid === undefined)
    return badInput([refuse("usage", { because: `--vm takes a vmid, and ${given.text.get("vm")} is none` })]);
  return inSession(given, io, async (session) => {
    const at = environmentAt(given, session.desk);
    if ("code" in at) return badInput([at]);
    const blocked = get(session.writer.state().blocked, vmKey(at.name, vmid));
    if (blocked === undefined) {
      return failed("refused", "kernel", [
        refuse("vm-not-blocked", { cause: "vm", facts: { environment: at.name }, vmid }),
      ]);
    }
    const look = await looked(session, at, io, [], [vmid]);
    if ("exit" in look) return look;
    const { observation } = look.observed;
    const asked = await session.ask(
      { intent: blocked.id, kind: "reconcile", look: look.id },
      { causationId: blocked.id, environment: at.name, given: { observation } },
    );
    if (asked.kind === "refused") return unlessUnanswered(at.name, look, asked.outcome);
    const belief = believe(
      observation.vms.find((state) => state.vmid === vmid),
      observation,
    );
    const found = belief.kind === "present" ? statusText(belief.state) : belief.kind;
    return {
      exit: "done",
      json: { found, intent: blocked.id, seq: asked.record.seq, vmid },
      text: () => [
        `VM ${vmid} ${blocked.name} is ${found}; the outcome of ${blocked.action} stays unknown, and the VM is free again`,
        `record ${asked.record.seq}: reconcile by ${asked.record.actor.id}`,
      ],
    };
  });
};
