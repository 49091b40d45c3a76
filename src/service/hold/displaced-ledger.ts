// Whether the ledger that holds an intent is still the one that stands there, takes its outcome, and has its anchor
// beside it: asked once more right before the call leaves. keeps N1
//
// What is open stays readable after its file was moved away or replaced; what its operator decides from then on stands
// in another one. Not here: what a request does that finds another ledger (holding.ts).

import type { ApplyGround } from "../../kernel/apply/perform-apply.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import type { Held } from "./session.ts";

export const displacedLedger =
  ({ desk, ledger }: Pick<Held, "desk" | "ledger">): ApplyGround["displaced"] =>
  () => {
    const readOnly = ledger.engine.readOnly();
    if (readOnly !== undefined) return refuse("ledger-read-only", readOnly);
    if (desk.anchor?.isInPlace() === true) return undefined;
    return refuse("anchor-unwritable", { cause: "replaced", facts: { name: desk.config.anchor } });
  };
