// N7, P7-A1 and P7-A2: a new anchor is an operator's word, with a reason, about a beginning of this very ledger.

import type { RequestOf } from "../../src/kernel/request.ts";
import type { Actor } from "../../src/ledger/record.ts";
import { sha256 } from "../../src/spine/hash.ts";
import { cannot, type Objection } from "../cannot.ts";
import { ALICE, BOB, configOf, ROBO, story } from "../kernel/story.ts";

type ReAnchor = RequestOf<"re-anchor">;

const asked = (change: (size: number) => Partial<ReAnchor>, actor: Actor = ALICE): readonly Objection[] => {
  const told = story();
  const { size } = told.state();
  const request: ReAnchor = {
    config: configOf("single-operator"),
    found: "anchor-absent",
    kind: "re-anchor",
    notes: 0,
    reason: "its disk burnt",
    root: sha256("root"),
    size,
    version: "1",
    ...change(size),
  };
  const result = told.ask(request, { by: actor });
  return result.kind === "refused" ? result.refusals : [];
};
const neighbour = (): readonly Objection[] => asked(() => ({}));

cannot("N7", "accept more records than the ledger has", {
  neighbour,
  offence: () => asked((size) => ({ size: size + 1 })),
});
cannot("N7", "accept a ledger without a record", { neighbour, offence: () => asked(() => ({ size: 0 })) });
cannot("P7-A2", "make an anchor anew without a reason", { neighbour, offence: () => asked(() => ({ reason: " " })) });
cannot("P7-A1", "make an anchor anew by the word of who only approves", {
  neighbour,
  offence: () => asked(() => ({}), BOB),
});
cannot("P7-A1", "make an anchor anew by the word of an agent", { neighbour, offence: () => asked(() => ({}), ROBO) });
