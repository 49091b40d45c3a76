// B2: one name is one subject, and one that nobody mistakes for another; a token proves who asks until it ends.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startRequest } from "../../src/kernel/command/program.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { bearerOf } from "../../src/kernel/decide/actors.ts";
import { get } from "../../src/kernel/state/persistent-map.ts";
import { DAY_MS } from "../../src/kernel/state/spans.ts";
import type { Actor } from "../../src/ledger/record/record.ts";
import type { Instant, Refusal } from "../../src/spine/model.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { instantOf, msOf } from "../../src/spine/values/instant.ts";
import { isSubject } from "../../src/spine/values/subject.ts";
import { cannot } from "../cannot.ts";
import {
  ALICE,
  BOB,
  CAROL,
  configOf,
  DAN,
  freshToken,
  ROBO,
  refusalsOf,
  type Story,
  story,
  tokenOf,
  tokenRequest,
} from "../kernel/story.ts";
import { coded } from "../spine/world.ts";

const named = (id: string): readonly Refusal[] => {
  const told = story();
  return refusalsOf(told.ask(tokenRequest(told, { id, kind: "person", roles: ["approver"] })));
};

const NOT_NAMES: Readonly<Record<string, string>> = {
  "a capital": "Erin",
  "a letter of another script": "еrin",
  "a letter with an accent": "érin",
  "a blank": "erin b",
  "a digit first": "1erin",
  "a separator first": "-erin",
  "a separator last": "erin.",
  nothing: "",
  "two separators": "erin--b",
  "65 characters": "e".repeat(65),
  "what cannot be seen": "erin\u200b",
  "a line feed after it": "erin\n",
};
for (const [what, name] of Object.entries(NOT_NAMES)) {
  cannot("B2", `name somebody with ${what}`, {
    neighbour: () => named("erin-b.2_c"),
    offence: () => coded("subject-name", named(name)),
  });
}
cannot("B2", "name somebody as the kernel, or as nobody", {
  neighbour: () => named("dedalus2"),
  offence: () => ["dedalus", "nobody", "anonymous", "unknown"].flatMap((id) => coded("subject-name", named(id))),
});
cannot("B2", "make a token in the name of the operator", {
  neighbour: () => named("alice2"),
  offence: () => coded("subject-name", named("alice")),
});

/** Another process was started with an operator of its own; then a token is made under the first configuration. */
const namedBeside = (id: string): readonly Refusal[] => {
  const told = story();
  const config = { ...configOf("single-operator"), operator: "erin" };
  const by = { by: KERNEL_ACTOR, config, instance: told.other };
  assert.equal(told.ask(startRequest(config, "1"), by).kind, "done");
  return refusalsOf(told.ask(tokenRequest(told, { id, kind: "person", roles: ["approver"] })));
};
cannot("B2", "make a token in the name of the operator of another configuration", {
  neighbour: () => namedBeside("erin2"),
  offence: () => coded("subject-name", namedBeside("erin")),
});

test("a name of 64 characters is one", () => {
  assert.equal(isSubject("e".repeat(64)), true);
  assert.deepEqual(named("e".repeat(64)), []);
});

/** A process starts under a configuration with this operator. */
const started = (operator: string): readonly Refusal[] => {
  const told = story();
  const config = { ...configOf("single-operator"), operator };
  return refusalsOf(told.ask(startRequest(config, "1"), { by: KERNEL_ACTOR, config }));
};
cannot("B2", "start with an operator whose name is not allowed", {
  neighbour: () => started("erin"),
  offence: () => [...coded("subject-name", started("Erin")), ...coded("subject-name", started("dedalus"))],
});
cannot("B2", "start with an operator of a name that a token has", {
  neighbour: () => started("erin"),
  offence: () => coded("token-known", started("bob")),
});

const asKernel = (id: string): readonly Refusal[] =>
  refusalsOf(
    story().ask(startRequest(configOf("four-eyes"), "1"), {
      by: { ...KERNEL_ACTOR, id },
      config: configOf("four-eyes"),
    }),
  );
cannot("B2", "speak as the kernel under another name", {
  neighbour: () => asKernel("dedalus"),
  offence: () => coded("actor-unknown", asKernel("erin")),
});

const lasting = (ms: number): readonly Refusal[] => {
  const told = story();
  const expiresAt = instantOf(msOf(told.now()) + ms);
  return refusalsOf(told.ask({ ...tokenRequest(told, { id: "erin", kind: "person", roles: [] }), expiresAt }));
};
cannot("B2", "make a token that lasts more than a year", {
  neighbour: () => lasting(365 * DAY_MS),
  offence: () => coded("token-end", lasting(365 * DAY_MS + 1)),
});
cannot("B2", "make a token that has ended", {
  neighbour: () => lasting(1),
  offence: () => coded("token-end", lasting(0)),
});
cannot("B2", "rotate into a token that lasts more than a year", {
  neighbour: () => rotating({ days: 365 }),
  offence: () => coded("token-end", rotating({ days: 366 })),
});
const rotating = ({
  days = 30,
  subject = "bob",
  ...more
}: Partial<Record<"subject" | "token", string>> & { days?: number }) => {
  const told = story();
  const fresh = { ...freshToken(told.now(), 99), expiresAt: instantOf(msOf(told.now()) + days * DAY_MS), ...more };
  return refusalsOf(told.ask({ act: "rotate", ...fresh, kind: "token", subject }));
};
cannot("B2", "rotate the token of somebody who has none", {
  neighbour: () => rotating({ subject: "bob" }),
  offence: () => coded("token-unknown", rotating({ subject: "erin" })),
});
cannot("B2", "give a token the public id of another", {
  neighbour: () => rotating({ token: "0123456789" }),
  offence: () => coded("token-known", rotating({ token: tokenOf(story(), "carol") })),
});
cannot("B2", "give a token the secret of another", {
  neighbour: () => hashed(sha256("something else")),
  offence: () => coded("token-known", hashed(sha256(tokenOf(story(), "carol")))),
});
const hashed = (hash: ReturnType<typeof sha256>): readonly Refusal[] => {
  const told = story();
  return refusalsOf(told.ask({ ...tokenRequest(told, { id: "erin", kind: "person", roles: [] }), hash }));
};
const malformed = (more: object): readonly Refusal[] => {
  const told = story();
  return refusalsOf(told.ask({ ...tokenRequest(told, { id: "erin", kind: "person", roles: [] }), ...more }));
};
for (const [what, more] of Object.entries({
  "an end that is no instant": { expiresAt: "2026-12-01" as Instant },
  "a hash that is none": { hash: "dedalus_the-secret-itself" },
  "a public id that is none": { token: "X" },
})) {
  cannot("B2", `make a token with ${what}`, {
    neighbour: () => malformed({}),
    offence: () => coded("token-malformed", malformed(more)),
  });
}

const noted = (told: Story, by: Actor, token?: string): readonly Refusal[] =>
  refusalsOf(
    told.ask({ kind: "annotate", text: "seen" }, { by, door: "service", ...(token === undefined ? {} : { token }) }),
  );
const passing = (ms: number): readonly Refusal[] => {
  const told = story();
  told.pass(ms);
  return noted(told, BOB);
};
cannot("B2", "ask with a token at the instant it ends", {
  neighbour: () => passing(30 * DAY_MS - 1),
  offence: () => coded("token-expired", passing(30 * DAY_MS)),
});
/** carol's token is rotated by somebody; she asks with the old one or with the new one. */
const rotatedFor = (which: "new" | "old", by: Actor = CAROL): readonly Refusal[] => {
  const told = story();
  const old = tokenOf(told, "carol");
  const fresh = freshToken(told.now(), 99);
  assert.equal(told.ask({ act: "rotate", ...fresh, kind: "token", subject: "carol" }, { by }).kind, "done");
  return noted(told, CAROL, which === "old" ? old : fresh.token);
};
cannot("B2", "ask with a token that was rotated", {
  neighbour: () => rotatedFor("new"),
  offence: () => coded("actor-unknown", rotatedFor("old")),
});
cannot("B2", "ask as a subject without its token", {
  neighbour: () => noted(story(), BOB),
  offence: () => {
    const told = story();
    const result = told.ask({ kind: "annotate", text: "seen" }, { by: BOB, token: undefined });
    return coded("actor-unknown", refusalsOf(result));
  },
});
cannot("B2", "ask as a subject with the token of another", {
  neighbour: () => noted(story(), BOB),
  offence: () => {
    const told = story();
    return coded("actor-unknown", noted(told, BOB, tokenOf(told, "carol")));
  },
});
cannot("B2", "ask as the operator through the service, where no token has that name", {
  neighbour: () => refusalsOf(story().ask({ kind: "annotate", text: "seen" }, { by: ALICE })),
  offence: () => coded("actor-unknown", noted(story(), ALICE)),
});

/** Who may rotate whose. */
const rotatesFor = (subject: string, by: Actor): readonly Refusal[] => {
  const told = story();
  const fresh = freshToken(told.now(), 99);
  return refusalsOf(told.ask({ act: "rotate", ...fresh, kind: "token", subject }, { by }));
};
cannot("P7-A1", "rotate the token of another without being an operator", {
  neighbour: () => [...rotatesFor("bob", BOB), ...rotatesFor("robo", ROBO), ...rotatesFor("bob", DAN)],
  offence: () => [
    ...coded("role-missing", rotatesFor("carol", BOB)),
    ...coded("role-missing", rotatesFor("bob", ROBO)),
  ],
});

test("who rotates for another is the maker from then on, and who rotates their own keeps theirs", () => {
  const told = story();
  const makersOf = (id: string) => get(told.state().subjects, id)?.makers;
  const rotates = (subject: string, by: Actor): void => {
    const fresh = freshToken(told.now(), told.records.length);
    assert.equal(told.ask({ act: "rotate", ...fresh, kind: "token", subject }, { by }).kind, "done");
  };
  assert.deepEqual(makersOf("bob"), ["alice"]);
  rotates("bob", BOB);
  assert.deepEqual(makersOf("bob"), ["alice"]);
  rotates("bob", DAN);
  assert.deepEqual(makersOf("bob"), ["dan", "alice"]);
  rotates("dan", CAROL);
  assert.deepEqual(
    [makersOf("bob"), makersOf("dan")],
    [
      ["dan", "alice"],
      ["carol", "alice"],
    ],
  );
});

test("a door learns whose a token is, and that it has ended", () => {
  const told = story();
  const { expiresAt, hash } = get(told.state().subjects, "bob") ?? assert.fail("bob has a token");
  const codeOf = (found: ReturnType<typeof bearerOf>): string => ("code" in found ? found.code : found.id);
  const before = instantOf(msOf(expiresAt) - 1);
  assert.equal(codeOf(bearerOf(told.state(), hash, before, "local")), "bob");
  assert.equal(codeOf(bearerOf(told.state(), hash, expiresAt, "local")), "token-expired");
  assert.equal(codeOf(bearerOf(told.state(), sha256("another"), before, "local")), "actor-unknown");
  assert.equal(JSON.stringify(bearerOf(told.state(), hash, expiresAt, "local")).includes(hash), false);
});

test("the public id of the token that was shown is in the record, and nothing where none was", () => {
  const told = story();
  told.ask({ kind: "annotate", text: "seen" }, { by: BOB });
  assert.equal(told.records.at(-1)?.body["token"], tokenOf(told, "bob"));
  told.ask({ kind: "annotate", text: "seen" });
  assert.equal("token" in (told.records.at(-1)?.body ?? {}), false);
});
