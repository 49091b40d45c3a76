// dedalus plan --env: looks, plans on what is registered, and records both. A single requested action takes the same way.

import { parseMemory } from "../../formats/memory-text.ts";
import { planText } from "../../formats/plan-json.ts";
import { detailsFor, wantedFor } from "../../kernel/apply/perform-apply.ts";
import type { Action, Refusal, Scope, Vmid } from "../../spine/model.ts";
import { isActionKind } from "../../spine/rules/actions.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { scopeOf, vmidOf } from "../arguments/vmids.ts";
import type { Arguments, Run } from "../command.ts";
import { badInput } from "../failure.ts";
import { isArtifact, outObstacle, writeWhole } from "../files.ts";
import { termsOf } from "../find-config.ts";
import { exitOf } from "../judge.ts";
import { looked, unlessUnanswered } from "../look.ts";
import { entryHashes, recordedPlan } from "../recorded.ts";
import { askedRemembering } from "../remembered.ts";
import { environmentAt, inSession } from "../session.ts";
import { planLines } from "../views/view-plan.ts";
import { planFileOf, standingLines, standingsOf } from "../views/view-standing.ts";

export const run: Run = async (given, io) => {
  const asked = requestIn(given);
  if ("code" in asked) return badInput([asked]);
  const out = given.text.get("out");
  const obstacle = out === undefined ? undefined : outObstacle(io.folder, out, isArtifact("plan"));
  if (obstacle !== undefined) return badInput([obstacle]);
  return inSession(given, io, async (session) => {
    const at = environmentAt(given, session.desk);
    if ("code" in at) return badInput([at]);
    const details = asked.request === undefined ? [] : detailsFor(asked.request.action);
    const only = asked.request === undefined ? undefined : wantedFor(asked.request.action, asked.request.vmid);
    const look = await looked(session, at, io, details, only);
    if ("exit" in look) return look;
    const { request, scope } = asked;
    const { observation } = look.observed;
    const planned = await askedRemembering(session, at.name, (identities) =>
      session.ask(
        { kind: "plan", look: look.id, ...(request === undefined ? {} : { request }), scope },
        { environment: at.name, given: { identities, observation, wishes: look.wishes } },
      ),
    );
    if (planned.kind === "refused") return planned.outcome;
    const { result } = planned;
    // A plan that says nothing new is answered by the one that stands.
    const unchanged = result.kind === "unchanged" ? { endsAt: result.endsAt } : undefined;
    const id = result.kind === "unchanged" ? result.plan : planned.record.auditId;
    const found = await recordedPlan(session.ledger.engine, session.writer.state(), id);
    if ("code" in found) return badInput([found]);
    const file = planFileOf(found);
    const unwritten = out === undefined ? undefined : writeWhole(io.folder, out, planText(file));
    if (unwritten !== undefined) return badInput([unwritten]);
    const { actor, now } = session.kernel;
    const state = session.writer.state();
    const entryOf = await entryHashes(session.ledger.engine, state, at.name);
    const terms = { ...termsOf(session.desk, at.name, at.environment), entryOf };
    const standings = standingsOf(state, found, now(), terms, actor);
    return unlessUnanswered(at.name, look, {
      exit: exitOf(file),
      json: { ...file, id, standings, ...(unchanged === undefined ? {} : { unchanged }) },
      text: (paint) => [
        ...planLines(file, paint),
        ...(unchanged === undefined ? [] : [`unchanged: plan ${id} still stands, until ${unchanged.endsAt}`]),
        ...standingLines(id, standings, paint),
      ],
    });
  });
};

type Asked = { readonly request?: { readonly action: Action; readonly vmid: Vmid }; readonly scope: Scope };

/** A requested action is for one VM; everything else about it is the registered entry's. */
const requestIn = (given: Arguments): Asked | Refusal => {
  const word = given.text.get("action");
  if (word === undefined) {
    const stray = ["vm", "snapshot", "cpus", "memory"].find((name) => given.text.has(name));
    if (stray !== undefined) return refuse("usage", { because: `--${stray} goes with --action` });
    const scope = scopeOf(given.text.get("only"));
    return typeof scope === "object" && "kind" in scope ? scope : { scope };
  }
  const vmid = vmidOf(given.text.get("vm") ?? "");
  if (vmid === undefined) return refuse("usage", { because: "--action needs --vm VMID" });
  if (given.text.has("only")) return refuse("usage", { because: "--action is for one VM, so --only has no place" });
  const action = actionOf(word, given);
  return "code" in action ? action : { request: { action, vmid }, scope: [vmid] };
};

const actionOf = (kind: string, given: Arguments): Action | Refusal => {
  if (!isActionKind(kind))
    return refuse("action-unknown", { cause: "not-an-action", facts: { found: JSON.stringify(kind) } });
  switch (kind) {
    case "vm.snapshot.create":
    case "vm.snapshot.delete":
    case "vm.snapshot.rollback": {
      const snapshot = given.text.get("snapshot");
      return snapshot === undefined
        ? refuse("usage", { because: `${kind} needs --snapshot NAME` })
        : { kind, snapshot };
    }
    case "vm.resize":
      return resizeOf(given);
    case "vm.clone":
    case "vm.migrate":
      return refuse("action-unknown", { cause: "unperformed", facts: { action: kind } });
    default:
      return { kind };
  }
};

const resizeOf = (given: Arguments): Action | Refusal => {
  const [cpusText, memoryText] = [given.text.get("cpus"), given.text.get("memory")];
  const cpus = cpusText === undefined ? undefined : /^[1-9][0-9]{0,3}$/.test(cpusText) ? Number(cpusText) : Number.NaN;
  const memory = memoryText === undefined ? undefined : parseMemory(memoryText);
  if (Number.isNaN(cpus)) return refuse("usage", { because: "--cpus takes a whole number" });
  if (memoryText !== undefined && memory === undefined) {
    return refuse("unit-unknown", { cause: "memory-option", facts: { found: memoryText } });
  }
  if (cpus === undefined && memory === undefined)
    return refuse("usage", { because: "vm.resize needs --cpus or --memory" });
  return { ...(cpus === undefined ? {} : { cpus }), kind: "vm.resize", ...(memory === undefined ? {} : { memory }) };
};
