// The members of what is told of VMs: how each was observed last, what a plan on that would answer, what is under way.
//
// The same table as fields.ts, which has them too.

import { described, documentIn, type JsonSchema, list, NUMBER, oneOf, part, TRUE, text, ulid } from "./json-schema.ts";

export const VM_FIELDS: Readonly<Record<string, JsonSchema>> = {
  actions: documentIn("current", "$defs/blocked"),
  applies: described("When a step has its effect.", oneOf("at-restart", "now")),
  approvalsAwaited: list("The steps of open plans that wait for approvals.", part("approvalAwaited")),
  blockedBy: ulid("The intent whose outcome is unknown; reconcile ends it."),
  blockers: list("What the provider forbids at the moment.", part("blocker")),
  blockedIntent: described("The intent whose outcome is unknown; reconcile ends it.", part("intentInWords")),
  brought: described("A sensor brought it: nobody was asked.", TRUE),
  lastIntent: described("The newest intent that ended.", part("intentInWords")),
  newestObservation: described("The newest that tells of the VM.", part("vmObservation")),
  openNow: described("The intent without an outcome yet.", part("intentInWords")),
  plansOfVm: list("The recent plans with a step or a refusal for the VM, the newest first.", part("planOfVm")),
  registeredVm: described("As the fleet has it; absent where it is not registered any more.", part("fleetVm")),
  rememberedIdentity: text("The identity that was seen first under its number, or was accepted since."),
  vmState: documentIn("current", "$defs/vm"),
  doubt: described("Why the VM is unknown.", part("unanswered")),
  fleet: list("The environments, by name, each with its VMs.", part("fleetEnvironment")),
  judged: described("What a plan answers, or would answer, for the VM.", oneOf("in-sync", "refusal", "step")),
  lastObserved: described("What the newest observation that shows it says.", part("vmLastSeen")),
  maxmem: described("How many bytes of memory it was seen with.", NUMBER),
  mends: described("The step that a plan would have for it.", part("stepToMend")),
  observationId: ulid("The observation that shows it."),
  observationsUsed: list("The observations that VMs were judged on, the newest first.", part("observationUsed")),
  onNode: text("Where the VM is, by the provider's own name."),
  openIntent: ulid("An intent of the VM without an outcome yet."),
  pending: documentIn("current", "$defs/vm/properties/pending"),
  power: described("What happens to the guest's execution.", oneOf("interrupts", "none", "starts", "stops")),
  registeredVms: list("The registered VMs, by vmid.", part("fleetVm")),
  stepReason: described("What the step comes from.", oneOf("requested", "size-differs", "status-differs")),
  unseen: list("What an observation did not see.", part("unanswered")),
};
