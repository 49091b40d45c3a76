// Which records concern a VM: those that name it, those that go on with one of them by its id (what became of an
// intent, an approval that was revoked, a plan that was canceled), and plans and registrations that hold it among many.
//
// It remembers what it met, so that it is asked of every record in order. An observation of everything concerns nobody
// in particular. Not here: what a record names itself (ledger/record/concerns.ts).

import { bodyOf } from "../../kernel/command/record-body.ts";
import type { Engine } from "../../ledger/engine.ts";
import { concernsVm } from "../../ledger/record/concerns.ts";
import type { LedgerRecord } from "../../ledger/record/record.ts";
import type { DesiredEntry, Plan, Vmid } from "../../spine/model.ts";
import { assertKnownRules } from "./known-rules.ts";
import { blobIn } from "./record-terms.ts";

type Concerning = (record: LedgerRecord) => Promise<boolean>;

export const concerning = (engine: Engine, vmid: Vmid): Concerning => {
  const met = new Set<string>();
  return async (record) => {
    assertKnownRules(record);
    const concerns =
      concernsVm(record, vmid) || idsIn(record).some((id) => met.has(id)) || (await isAmongMany(engine, record, vmid));
    if (concerns) met.add(record.auditId);
    return concerns;
  };
};

/**
 * The records that this one goes on with. A plan's other steps are not this VM's: only what is about all of it counts.
 */
const idsIn = (record: LedgerRecord): readonly string[] => {
  const body = bodyOf(record);
  const { about, approval, intent } = Object(body?.request) as Readonly<Record<string, unknown>>;
  const plans = [
    ...(body?.kind === "cancel" ? [body.request.plan] : []),
    ...(body?.kind === "plan" && body.result.kind === "unchanged" ? [body.result.plan] : []),
  ];
  return [about, approval, intent, ...plans].filter((id) => typeof id === "string");
};

const isAmongMany = async (engine: Engine, record: LedgerRecord, vmid: Vmid): Promise<boolean> => {
  const body = bodyOf(record);
  if (body?.kind === "register") {
    const desired = await blobIn<{ readonly entries: readonly DesiredEntry[] }>(engine, body.request.desired);
    return desired?.entries.some((entry) => entry.vmid === vmid) ?? false;
  }
  if (body?.kind !== "plan" || body.result.kind !== "planned") return false;
  const made = await blobIn<{ readonly plan: Plan }>(engine, body.result.plan);
  return made?.plan.answers.some((answer) => answer.vmid === vmid) ?? false;
};
