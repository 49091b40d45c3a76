// A ramble: a story that takes its turns from a list of numbers, so that a property test can go anywhere in it.
//
// What a turn asks for may be refused; refusals are records too. The same numbers make the same records.

import { bringing } from "../../src/kernel/command/program.ts";
import type { StepRef } from "../../src/kernel/command/request.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { entries, get } from "../../src/kernel/state/persistent-map.ts";
import type { Ulid } from "../../src/ledger/record/record.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { observationOf, vmidOf, state as vmState, wantStopped } from "../spine/world.ts";
import { joinOf, startsWith } from "./joining.ts";
import { by, serve, servedConfigOf, signIn, someone } from "./signing-in.ts";
import {
  apply,
  approve,
  BOB,
  CAROL,
  configOf,
  freshToken,
  giveTokens,
  lastId,
  looked,
  planned,
  ROBO,
  remembered,
  type Story,
  story,
  tokenRequest,
} from "./story.ts";

type Turn = (told: Story, at: { of: StepRef; intent: Ulid }) => void;

const BRINGS = bringing(configOf("single-operator"), "1");
const DAY_MS = 24 * 60 * 60_000;
/** Long enough to be ahead, and within the life of every token. */
const AHEAD_MS = DAY_MS;

const OTHER = vmidOf(102);
const seen = (identity: string): ReturnType<typeof vmState> => vmState({ identity, name: "web-02", vmid: OTHER });

const TURNS: readonly Turn[] = [
  (told, at) => {
    at.of = planned(told).of;
  },
  (told, at) => {
    at.of = planned(told, { vms: [vmState()], entries: [wantStopped("power-off")] }).of;
  },
  (told, at) => {
    at.of = planned(told, { by: ROBO }).of;
  },
  (told, at) => {
    if (apply(told, at.of).kind === "intended") at.intent = lastId(told);
  },
  (told, at) => {
    if (told.ask({ kind: "apply", of: at.of }, { by: ROBO, door: "service" }).kind === "intended") {
      at.intent = lastId(told);
    }
  },
  (told, { of }) => approve(told, of, BOB),
  (told, { of }) => approve(told, of, CAROL),
  (told, { of }) => told.ask({ kind: "deny", of, reason: "not today" }, { by: BOB }),
  (told, { of }) => told.ask({ kind: "request-approval", of }, { by: ROBO, door: "service" }),
  (told, { of }) => told.ask({ approval: lastId(told), kind: "revoke", plan: of.plan, reason: "again" }, { by: BOB }),
  (told, { of }) => told.ask({ kind: "cancel", plan: of.plan, reason: "no more" }),
  (told, { intent }) => told.ask({ intent, kind: "dispatched", reference: "task-1" }, { by: KERNEL_ACTOR }),
  (told, { intent }) =>
    told.ask(
      { cause: "provider-done", intent, kind: "outcome", outcome: "succeeded", said: "running" },
      { by: KERNEL_ACTOR },
    ),
  (told, { intent }) =>
    told.ask(
      { cause: "call-unanswered", intent, kind: "outcome", outcome: "unknown", said: "no reply" },
      { by: KERNEL_ACTOR },
    ),
  (told, { intent }) => told.ask({ ground: "past-settle-by", intent, kind: "recover" }, { by: KERNEL_ACTOR }),
  (told) => {
    for (const [, { id }] of entries(told.state().blocked)) {
      const observation = observationOf([vmState()], { observedAt: told.now() });
      told.ask({ intent: id, kind: "reconcile", observation: looked(told, observation) }, { given: { observation } });
    }
  },
  (told) => {
    const observation = observationOf([seen("uuid-a")], { observedAt: told.now() });
    looked(told, observation);
  },
  (told) => {
    const observation = observationOf([seen("uuid-b")], { observedAt: told.now() });
    const asked = {
      identity: "uuid-b",
      kind: "accept-identity",
      observation: looked(told, observation),
      vmid: OTHER,
    } as const;
    told.ask({ ...asked, reason: "rebuilt" }, { given: { observation, ...remembered(told) } });
  },
  (told) => {
    told.pass(AHEAD_MS);
    told.ask({ kind: "annotate", text: "a clock is ahead" });
    told.pass(-AHEAD_MS);
    looked(told, observationOf([vmState()], { observedAt: told.now() }));
    told.ask({ kind: "accept-clock", reason: "set right", size: told.state().size });
  },
  (told) => told.ask({ kind: "freeze", reason: "incident" }),
  (told) => told.ask({ kind: "unfreeze", reason: "over" }),
  (told) => {
    told.ask(tokenRequest(told, { id: "eve", kind: "person", roles: ["auditor"] }));
  },
  (told) => {
    const fresh = freshToken(told.now(), told.records.length);
    told.ask({ act: "rotate", ...fresh, kind: "token", subject: "carol" });
  },
  (told) => told.ask({ act: "revoke", kind: "token", token: get(told.state().subjects, "bob")?.token ?? "none" }),
  (told) => told.ask({ kind: "annotate", text: "nothing to see" }),
  (told) => {
    const copy = sha256("a copy");
    const { size } = told.state();
    told.ask({ ...BRINGS, copy, kind: "ledger.seal", root: sha256("a root"), size, to: "elsewhere" });
  },
  (told) => {
    told.ask({ ...BRINGS, copy: sha256("a copy"), kind: "ledger.unseal", reason: "its disk died" });
    giveTokens(told);
  },
  (told) => {
    const { size } = told.state();
    const [copy, root] = [sha256("a restore"), sha256("a root")];
    const anchored = { root: sha256("a later root"), size: size + 1 };
    told.ask({ ...BRINGS, anchored, copy, kind: "ledger.restore", reason: "the disk died", root, size });
    told.ask({ kind: "unfreeze", reason: "looked at every VM" }, { everywhere: true });
    giveTokens(told);
  },
  (told) =>
    told.ask({
      ...BRINGS,
      found: "anchor-absent",
      kind: "ledger.re-anchor",
      notes: 0,
      reason: "its disk burnt",
      root: sha256(""),
      size: 1,
    }),
  (told) => startsWith(told),
  (told) => told.ask(joinOf(told)),
  (told) => told.pass(60_000),
  (told) => told.pass(11 * 60_000),
  (told) => told.pass(DAY_MS),
  // For a while a service runs at which people sign in.
  (told) => {
    const config = servedConfigOf("single-operator");
    serve(told, config);
    signIn(told, by("ada", ["ops"]), {}, { config });
    signIn(told, by("olga", ["eyes", "ops"]), {}, { config });
    const token = get(told.state().people, "olga")?.sessions[0]?.token ?? "none";
    const asking = { by: someone("olga", "approver", "operator"), config, door: "service", everywhere: true } as const;
    told.ask({ ends: "session", kind: "sign-out", token }, { ...asking, token });
    serve(told, configOf("single-operator"));
  },
  (told) => told.ask({ ends: "person", kind: "sign-out", reason: "left", subject: "ada" }, { everywhere: true }),
];

export const TURNS_COUNT = TURNS.length;

export const ramble = (turns: readonly number[]): Story => {
  const told = story();
  const at = { intent: lastId(told), of: planned(told).of };
  for (const turn of turns) TURNS[turn % TURNS_COUNT]?.(told, at);
  return told;
};
