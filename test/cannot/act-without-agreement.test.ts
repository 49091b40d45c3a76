// P7-A2, B2: nothing is performed that people did not agree to, and nobody agrees for somebody else.

import type { Refusal } from "../../src/spine/model.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { cannot } from "../cannot.ts";
import {
  ALICE,
  apply,
  approve,
  BOB,
  CAROL,
  DAN,
  explanationHash,
  lastId,
  planned,
  ROBO,
  refusalsOf,
  type Setting,
  type Story,
  story,
  tokenOf,
  tokenRequest,
} from "../kernel/story.ts";
import { coded, state as vmState, wantStopped } from "../spine/world.ts";

const withToken = (subject: Parameters<typeof tokenRequest>[1]): readonly Refusal[] => {
  const told = story();
  return refusalsOf(told.ask(tokenRequest(told, subject)));
};

const STOP: Setting = { vms: [vmState()], entries: [wantStopped("power-off")] };

type Scene = { readonly of: ReturnType<typeof planned>["of"]; readonly told: Story };
const scene = (setting: Setting = {}, mode: "four-eyes" | "single-operator" = "single-operator"): Scene => {
  const told = story(mode);
  return { of: planned(told, setting).of, told };
};
const high = (prepare: (at: Scene) => void): readonly Refusal[] => {
  const at = scene(STOP);
  prepare(at);
  return refusalsOf(apply(at.told, at.of));
};

cannot("P7-A2", "apply a high step that nobody approved", {
  neighbour: () => high(({ of, told }) => void approve(told, of, BOB)),
  offence: () =>
    coded(
      "approval-missing",
      high(() => undefined),
    ),
});

cannot("P7-A2", "apply a step that somebody denied, whoever approved it", {
  neighbour: () => high(({ of, told }) => void approve(told, of, BOB)),
  offence: () =>
    coded(
      "step-denied",
      high(({ of, told }) => {
        approve(told, of, BOB);
        told.ask({ kind: "deny", of, reason: "not during business hours" }, { by: CAROL });
      }),
    ),
});

cannot("P7-A2", "let a denial stand without a reason", {
  neighbour: () => denied("not during business hours"),
  offence: () => coded("reason-missing", denied(" \t ")),
});
cannot("P7-A2", "let a reason speak to the terminal of whoever reads it", {
  neighbour: () => denied("not during business hours"),
  offence: () => coded("reason-missing", denied("fine \u001b[2J\u001b[1A")),
});
const denied = (reason: string): readonly Refusal[] => {
  const { of, told } = scene();
  return refusalsOf(told.ask({ kind: "deny", of, reason }, { by: BOB }));
};

const agentAsks = (kind: "approve" | "deny" | "challenge", by: typeof ROBO): readonly Refusal[] => {
  const { of, told } = scene();
  const explanation = explanationHash(told, of);
  const reason = "it looks fine";
  return refusalsOf(
    told.ask(
      kind === "approve" ? { explanation, kind, of, reason } : kind === "deny" ? { kind, of, reason } : { kind, of },
      { by },
    ),
  );
};
for (const kind of ["approve", "deny", "challenge"] as const) {
  cannot("P7-A2", `let an agent ${kind === "challenge" ? "confirm" : kind}`, {
    neighbour: () => agentAsks(kind, ALICE),
    offence: () => coded("agent-decides", agentAsks(kind, ROBO)),
  });
}

cannot("P7-A2", "give an agent's token a person's roles", {
  neighbour: () => tokened("observer"),
  offence: () => coded("agent-decides", tokened("approver")),
});
const tokened = (role: "approver" | "observer"): readonly Refusal[] =>
  withToken({ id: "max", kind: "agent", roles: [role] });

cannot("P7-A2", "let an agent apply what cannot be undone, whoever approved it", {
  neighbour: () => agentApplies({}),
  offence: () => coded("agent-irreversible", agentApplies({ action: { kind: "vm.delete" } })),
});
const agentApplies = (setting: Setting): readonly Refusal[] => {
  const { of, told } = scene({ ...setting, by: ROBO });
  for (const by of [ALICE, BOB, CAROL]) approve(told, of, by);
  return refusalsOf(told.ask({ kind: "apply", of }, { by: ROBO, door: "service" }));
};

cannot("P7-A2", "apply without a confirmation", {
  neighbour: () => confirmed(() => ({})),
  offence: () => {
    const { of, told } = scene();
    return coded("confirmation-missing", refusalsOf(told.ask({ kind: "apply", of })));
  },
});

type Twist = { readonly by?: typeof ALICE; readonly explanation?: ReturnType<typeof sha256>; readonly lateMs?: number };
/** One challenge, and an apply that answers it, twisted in one thing. */
const confirmed = (twist: (at: Scene) => Twist): readonly Refusal[] => {
  const at = scene();
  const { of, told } = at;
  const challenge = told.ask({ kind: "challenge", of });
  const id = lastId(told);
  const { by = ALICE, explanation, lateMs = 0 } = twist(at);
  told.pass(lateMs);
  const shown = explanation ?? (challenge.kind === "challenged" ? challenge.explanation : sha256(""));
  return refusalsOf(told.ask({ confirmation: { challenge: id, explanation: shown }, kind: "apply", of }, { by }));
};

cannot("P7-A2", "use another person's confirmation", {
  neighbour: () => confirmed(() => ({ by: ALICE })),
  offence: () =>
    coded(
      "confirmation-spent",
      confirmed(() => ({ by: CAROL })),
    ),
});
cannot("P7-A2", "use a confirmation after five minutes", {
  neighbour: () => confirmed(() => ({ lateMs: 5 * 60_000 - 1 })),
  offence: () =>
    coded(
      "confirmation-spent",
      confirmed(() => ({ lateMs: 5 * 60_000 })),
    ),
});
cannot("P7-A2", "confirm a text that was not the explanation", {
  neighbour: () => confirmed(({ of, told }) => ({ explanation: explanationHash(told, of) })),
  offence: () =>
    coded(
      "explanation-differs",
      confirmed(() => ({ explanation: sha256("something else") })),
    ),
});
cannot("P7-A2", "use a confirmation twice", {
  neighbour: () => twice((told) => void told.ask({ kind: "annotate", text: "nothing happened" })),
  offence: () =>
    coded(
      "confirmation-spent",
      twice((told, of, id) => {
        const explanation = explanationHash(told, of);
        told.ask({ confirmation: { challenge: id, explanation }, kind: "apply", of });
      }),
    ),
});
/** The second use is by another plan's step on the same VM; what is not about the confirmation is left out. */
const twice = (first: (told: Story, of: Scene["of"], id: ReturnType<typeof lastId>) => void): readonly Refusal[] => {
  const { of, told } = scene();
  told.ask({ kind: "challenge", of });
  const id = lastId(told);
  first(told, of, id);
  const explanation = explanationHash(told, of);
  return refusalsOf(told.ask({ confirmation: { challenge: id, explanation }, kind: "apply", of })).filter(
    ({ code }) => code === "confirmation-spent",
  );
};

const approved = (mode: "four-eyes" | "single-operator", by: typeof BOB): readonly Refusal[] => {
  const { of, told } = scene({ ...STOP, by: CAROL }, mode);
  return refusalsOf(approve(told, of, by, { door: "service" }));
};
cannot("B2", "approve one's own request where four eyes are required", {
  neighbour: () => approved("four-eyes", BOB),
  offence: () => coded("approval-own", approved("four-eyes", CAROL)),
});
cannot("B2", "count the applier's own approval where four eyes are required", {
  neighbour: () => appliedBy("bob"),
  offence: () => coded("approval-own", appliedBy("carol")),
});
/** dan asked; carol applies; one of two approved. */
const appliedBy = (approver: "bob" | "carol"): readonly Refusal[] => {
  const { of, told } = scene({ ...STOP, by: DAN }, "four-eyes");
  approve(told, of, approver === "bob" ? BOB : CAROL, { door: "service" });
  return refusalsOf(apply(told, of, CAROL, { door: "service" }));
};
cannot("B2", "apply alone at the ledger's own files where four eyes are required", {
  neighbour: () => localApply("service"),
  offence: () => coded("service-needed", localApply("local")),
});
const localApply = (door: "local" | "service"): readonly Refusal[] => {
  const { of, told } = scene({ by: CAROL }, "four-eyes");
  return refusalsOf(apply(told, of, CAROL, { door }));
};

cannot("B2", "act as somebody whom the ledger does not know", {
  neighbour: () => annotatedBy({ id: "bob", kind: "person", roles: ["approver"] }),
  offence: () => coded("actor-unknown", annotatedBy({ id: "mallory", kind: "person", roles: ["approver"] })),
});
cannot("B2", "claim roles that the token does not have", {
  neighbour: () => annotatedBy({ id: "bob", kind: "person", roles: ["approver"] }),
  offence: () => coded("actor-unknown", annotatedBy({ id: "bob", kind: "person", roles: ["approver", "operator"] })),
});
cannot("B2", "act with a token that was revoked", {
  neighbour: () => annotatedBy(BOB),
  offence: () =>
    coded(
      "actor-unknown",
      annotatedBy(BOB, (told) => {
        told.ask({ act: "revoke", kind: "token", token: tokenOf(told, "bob") });
      }),
    ),
});
const annotatedBy = (by: typeof BOB, before: (told: Story) => void = () => undefined): readonly Refusal[] => {
  const told = story();
  before(told);
  return refusalsOf(told.ask({ kind: "annotate", text: "seen" }, { by }));
};

cannot("B2", "make a second token for the same subject, or revoke one that is not there", {
  neighbour: () => tokenFor("erin"),
  offence: () => [
    ...coded("token-known", tokenFor("bob")),
    ...coded("token-unknown", refusalsOf(story().ask({ act: "revoke", kind: "token", token: "0000000000" }))),
  ],
});
const tokenFor = (id: string): readonly Refusal[] => withToken({ id, kind: "person", roles: ["observer"] });

cannot("P7-A1", "do what one's role does not cover", {
  neighbour: () => frozenBy(CAROL),
  offence: () => coded("role-missing", frozenBy(BOB)),
});
const frozenBy = (by: typeof BOB): readonly Refusal[] =>
  refusalsOf(story().ask({ kind: "freeze", reason: "maintenance" }, { by }));
