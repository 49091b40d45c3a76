// A history: one small ledger in which every kind of record stands at least once granted and once refused. The same
// text every time: ids and times come from the story, and nothing from a clock or from chance.
//
// It is told by the deciders of this program, so that it is a history of their rules.

import assert from "node:assert/strict";
import { bringing, startRequest } from "../../src/kernel/command/program.ts";
import { bodyOf } from "../../src/kernel/command/record-body.ts";
import type { Result } from "../../src/kernel/command/result.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { get } from "../../src/kernel/state/persistent-map.ts";
import { registrationOf } from "../../src/kernel/state/registered-entry.ts";
import type { Actor, Ulid } from "../../src/ledger/record/record.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { observe } from "../../src/spine/values/observation.ts";
import { by, invitation, redemption, serve, servedConfigOf, signIn, someone } from "../../test/kernel/signing-in.ts";
import {
  ALICE,
  apply,
  approve,
  BOB,
  configOf,
  DAN,
  explanationHash,
  freshToken,
  lastId,
  looked,
  planned,
  ROBO,
  remembered,
  type Story,
  story,
  tokenOf,
  tokenRequest,
} from "../../test/kernel/story.ts";
import {
  desiredFor,
  observationOf,
  vmidOf,
  state as vmState,
  wantRunning,
  wantStopped,
} from "../../test/spine/world.ts";

const PROBE: Actor = { id: "probe", kind: "agent", roles: ["sensor"] };
const STOP = { vms: [vmState()], entries: [wantStopped("power-off")] };
const COPY = sha256("a copy");
/** A record may answer what a door was asked, and says so. */
const DOOR_ASKED = sha256("what a door was asked");
const BRINGS = bringing(configOf("single-operator"), "1");
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const SUCCESS = { cause: "provider-done", outcome: "succeeded" } as const;

type Chapter = (told: Story) => void;

const granted = (told: Story, result: Result): Ulid => {
  assert.notEqual(result.kind, "refused", JSON.stringify(result));
  return lastId(told);
};
const refused = (result: Result): void => assert.equal(result.kind, "refused", JSON.stringify(result));
/** For what is asked by something that looks at the record itself. */
const lastRefused = ({ records }: Story): void => {
  const last = records.at(-1) ?? assert.fail("there is a record");
  refused(bodyOf(last)?.result ?? assert.fail("it is the kernel's"));
};

const people: Chapter = (told) => {
  const config = { ...configOf("single-operator"), operator: "bob" };
  refused(told.ask(startRequest(config, "1"), { by: KERNEL_ACTOR, config }));
  refused(told.ask(tokenRequest(told, { id: "bob", kind: "person", roles: ["approver"] })));
  granted(told, told.ask(tokenRequest(told, { id: "eve", kind: "person", roles: ["auditor"] })));
  const fresh = freshToken(told.now(), told.records.length);
  granted(told, told.ask({ act: "rotate", ...fresh, kind: "token", subject: "carol" }));
  granted(told, told.ask({ act: "revoke", kind: "token", token: tokenOf(told, "eve") }));
  granted(told, told.ask(tokenRequest(told, { id: PROBE.id, kind: "agent", roles: ["sensor"] })));
  granted(told, told.ask({ kind: "annotate", text: "every kind of record stands here" }, { asked: DOOR_ASKED }));
  refused(told.ask({ kind: "annotate", text: "  " }, { asked: DOOR_ASKED }));
};

/** A service runs, somebody signs in and out, and an operator ends what is left of it. */
const signing: Chapter = (told) => {
  const own = configOf("single-operator");
  const config = servedConfigOf("single-operator");
  granted(told, serve(told, config));
  granted(told, signIn(told, by("ada", ["eyes", "ops"]), {}, { config }));
  refused(signIn(told, by("eve", []), {}, { config }));
  const ada = someone("ada", "approver", "operator");
  const asking = { by: ada, config, door: "service", everywhere: true } as const;
  const token = get(told.state().people, "ada")?.sessions[0]?.token ?? assert.fail("ada signed in");
  refused(told.ask({ ends: "person", kind: "sign-out", reason: "", subject: "ada" }, asking));
  granted(told, told.ask({ ends: "session", kind: "sign-out", token }, asking));
  granted(
    told,
    told.ask(
      { ends: "person", kind: "sign-out", reason: "left the team", subject: "ada" },
      { config, everywhere: true },
    ),
  );
  granted(told, serve(told, own));
  const whole = { everywhere: true } as const;
  refused(told.ask(invitation(told, "bob"), whole));
  granted(told, told.ask(invitation(told, "finn"), whole));
  const door = { by: KERNEL_ACTOR, door: "service", everywhere: true } as const;
  refused(told.ask(redemption("finn", "another secret"), door));
  granted(told, told.ask(redemption("finn"), door));
  granted(told, told.ask(invitation(told, "gwen"), whole));
  granted(told, told.ask({ ends: "person", kind: "sign-out", reason: "not needed", subject: "gwen" }, whole));
  refused(told.ask({ ends: "person", kind: "sign-out", reason: "again", subject: "gwen" }, whole));
};

const seeing: Chapter = (told) => {
  const observation = observationOf([vmState()], { observedAt: told.now() });
  const { complete, gaps, observedAt, vms } = observation;
  const request = {
    complete,
    gaps: gaps.length,
    kind: "ingest",
    observation: observe(observation).digest,
    ...(observedAt === undefined ? {} : { observedAt }),
    vms: vms.length,
  } as const;
  granted(told, told.ask(request, { by: PROBE, door: "service", given: { observation } }));
  refused(told.ask(request, { given: { observation } }));
  looked(told, observation, { by: BOB });
  lastRefused(told);
  const desired = desiredFor([wantRunning()]);
  refused(told.ask(registrationOf(desired), { by: BOB, given: { desired } }));
  refused(told.ask({ kind: "plan", observation: told.instance, scope: "all" }));
};

const identities: Chapter = (told) => {
  const seen = (identity: string) =>
    observationOf([vmState({ identity, name: "web-02", vmid: vmidOf(102) })], { observedAt: told.now() });
  looked(told, seen("uuid-a"), { seen: { scope: [vmidOf(102)] } });
  const observation = seen("uuid-b");
  const asked = { kind: "accept-identity", observation: looked(told, observation), vmid: vmidOf(102) } as const;
  const given = { observation, ...remembered(told) };
  refused(told.ask({ ...asked, identity: "uuid-c", reason: "rebuilt" }, { given }));
  granted(told, told.ask({ ...asked, identity: "uuid-b", reason: "rebuilt" }, { given }));
};

/** A start that succeeds, and the same plan asked for once more before it. */
const starting: Chapter = (told) => {
  const { of } = planned(told);
  assert.equal(planned(told).result.kind, "unchanged");
  const desired = desiredFor([wantStopped("power-off")]);
  refused(told.ask(registrationOf(desired), { given: { desired } }));
  refused(told.ask({ kind: "apply", of }));
  granted(told, apply(told, of));
  const intent = lastId(told);
  refused(told.ask({ kind: "challenge", of }));
  refused(told.ask({ intent: told.instance, kind: "dispatched", reference: "task-1" }, { by: KERNEL_ACTOR }));
  granted(told, told.ask({ intent, kind: "dispatched", reference: "task-1" }, { by: KERNEL_ACTOR }));
  const outcome = { ...SUCCESS, kind: "outcome" } as const;
  refused(told.ask({ ...outcome, intent: told.instance }, { by: KERNEL_ACTOR }));
  granted(told, told.ask({ ...outcome, intent }, { by: KERNEL_ACTOR }));
};

const agreeing: Chapter = (told) => {
  const first = planned(told, STOP);
  const explanation = explanationHash(told, first.of);
  refused(told.ask({ explanation, kind: "approve", of: first.of, reason: "" }, { by: BOB }));
  const approval = granted(told, approve(told, first.of, BOB));
  const revoke = { approval, kind: "revoke", plan: first.id, reason: "not right after all" } as const;
  refused(told.ask(revoke, { by: ALICE }));
  granted(told, told.ask(revoke, { by: BOB }));
  refused(told.ask({ kind: "deny", of: first.of, reason: "" }, { by: BOB }));
  granted(told, told.ask({ kind: "deny", of: first.of, reason: "not today" }, { by: BOB }));
  const { id } = planned(told, STOP);
  refused(told.ask({ kind: "cancel", plan: id, reason: "" }));
  granted(told, told.ask({ kind: "cancel", plan: id, reason: "not needed" }));
};

/** An agent's step, whose outcome is not known, and how that is ended. */
const unknown: Chapter = (told) => {
  refused(told.ask({ kind: "unfreeze", reason: "over" }));
  refused(told.ask({ kind: "freeze", reason: "" }));
  granted(told, told.ask({ kind: "freeze", reason: "incident" }));
  const { of } = planned(told, { by: ROBO });
  refused(told.ask({ kind: "request-approval", of }, { by: ROBO, door: "service" }));
  granted(told, told.ask({ kind: "unfreeze", reason: "over" }));
  refused(told.ask({ kind: "request-approval", of }, { by: DAN, door: "agent" }));
  refused(told.ask({ kind: "annotate", text: "asked at its own door" }, { by: ROBO, door: "agent" }));
  refused(told.ask({ kind: "request-approval", of, reason: " " }, { by: ROBO, door: "agent" }));
  granted(told, told.ask({ kind: "request-approval", of, reason: "logs stopped" }, { by: ROBO, door: "agent" }));
  granted(told, approve(told, of, ALICE));
  const intent = granted(told, told.ask({ kind: "apply", of }, { by: ROBO, door: "agent" }));
  const recover = { ground: "past-settle-by", intent, kind: "recover" } as const;
  refused(told.ask(recover, { by: KERNEL_ACTOR }));
  const observation = observationOf([vmState()], { observedAt: told.now() });
  const early = looked(told, observation);
  refused(told.ask({ intent, kind: "reconcile", observation: early }, { given: { observation } }));
  told.pass(11 * MINUTE_MS);
  granted(told, told.ask(recover, { by: KERNEL_ACTOR }));
  const after = observationOf([vmState()], { observedAt: told.now() });
  const request = { intent, kind: "reconcile", observation: looked(told, after) } as const;
  granted(told, told.ask(request, { given: { observation: after } }));
};

/** A policy that lets agents apply twice an hour, and in the morning alone. */
const limits: Chapter = (told) => {
  const [only, perHour] = [{ days: ["sun"], hours: ["10:00-11:00"] }, 2] as const;
  const config = configOf("single-operator", true, { tighten: [{ for: "agent", only, perHour }], version: 1 });
  const asking = { by: ROBO, config, door: "agent" } as const;
  granted(told, serve(told, config));
  const first = planned(told, asking);
  granted(told, approve(told, first.of, ALICE, { config }));
  const intent = granted(told, told.ask({ kind: "apply", of: first.of }, asking));
  granted(told, told.ask({ ...SUCCESS, intent, kind: "outcome" }, { by: KERNEL_ACTOR, config }));
  told.pass(MINUTE_MS);
  const second = planned(told, asking);
  granted(told, approve(told, second.of, ALICE, { config }));
  refused(told.ask({ kind: "apply", of: second.of }, asking));
  told.pass(50 * MINUTE_MS);
  refused(told.ask({ kind: "request-approval", of: second.of }, asking));
  granted(told, serve(told, configOf("single-operator")));
};

const clocks: Chapter = (told) => {
  refused(told.ask({ kind: "accept-clock", reason: "set right", size: told.state().size }));
  told.pass(DAY_MS);
  told.ask({ kind: "annotate", text: "a clock is ahead" });
  told.pass(-DAY_MS);
  granted(told, told.ask({ kind: "accept-clock", reason: "set right", size: told.state().size }));
};

const moving: Chapter = (told) => {
  const checkpoint = { ...BRINGS, anchor: "anchor.txt", kind: "ledger.checkpoint" } as const;
  refused(told.ask(checkpoint, { by: BOB, everywhere: true }));
  granted(told, told.ask(checkpoint, { everywhere: true }));
  const why = { cause: "write-failed", facts: { name: "sqlite dedalus.db", said: "ENOSPC" } } as const;
  const unlock = { ...BRINGS, kind: "ledger.unlock", why } as const;
  refused(told.ask({ ...unlock, reason: "" }, { everywhere: true }));
  granted(told, told.ask({ ...unlock, reason: "disk enlarged" }, { everywhere: true }));
  const reAnchor = { ...BRINGS, found: "anchor-absent", kind: "ledger.re-anchor", notes: 0, root: sha256("") } as const;
  refused(told.ask({ ...reAnchor, reason: "its disk burnt", size: 0 }, { everywhere: true }));
  granted(told, told.ask({ ...reAnchor, reason: "its disk burnt", size: 1 }, { everywhere: true }));
  const anchor = { bytes: 200, digest: sha256("an anchor"), first: sha256("a note"), key: sha256("a key") };
  granted(
    told,
    told.ask({ ...startRequest(configOf("single-operator"), "1"), anchor }, { by: KERNEL_ACTOR, everywhere: true }),
  );
  const held = { key: anchor.key, root: sha256("a root"), size: 1 };
  const join = { ...BRINGS, held, key: sha256("another key"), kind: "ledger.join", root: sha256(""), size: 2 } as const;
  refused(told.ask({ ...join, key: anchor.key, reason: "a second machine" }, { everywhere: true }));
  granted(told, told.ask({ ...join, reason: "a second machine" }, { everywhere: true }));
  const unseal = { ...BRINGS, copy: COPY, kind: "ledger.unseal", reason: "its disk died" } as const;
  refused(told.ask(unseal, { everywhere: true }));
  const seal = { ...BRINGS, copy: COPY, kind: "ledger.seal", root: sha256("a root"), to: "elsewhere" } as const;
  refused(told.ask({ ...seal, size: 1 }, { everywhere: true }));
  granted(told, told.ask({ ...seal, size: told.state().size }, { everywhere: true }));
  granted(told, told.ask(unseal, { everywhere: true }));
};

/** From a backup that was made while a step was being tried. */
const restoring: Chapter = (told) => {
  granted(told, told.ask({ kind: "unfreeze", reason: "looked at every VM" }, { everywhere: true }));
  const { of } = planned(told);
  granted(told, apply(told, of));
  const restore = { ...BRINGS, copy: COPY, kind: "ledger.restore", root: sha256("a root") } as const;
  const { size } = told.state();
  refused(told.ask({ ...restore, reason: "the disk died", size: size - 1 }, { everywhere: true }));
  const anchored = { root: sha256("a later root"), size: size + 3 };
  granted(told, told.ask({ ...restore, anchored, reason: "the disk died", size: size + 1 }, { everywhere: true }));
};

export const tellHistory = (): Story => {
  const told = story();
  for (const chapter of [
    people,
    signing,
    seeing,
    identities,
    starting,
    agreeing,
    unknown,
    limits,
    clocks,
    moving,
    restoring,
  ])
    chapter(told);
  return told;
};
