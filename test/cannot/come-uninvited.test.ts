// Invitations: somebody comes once, by a secret and in time; a passkey is their own making, a token the inviter's.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { RecordedConfig } from "../../src/kernel/command/recorded-config.ts";
import type { RedeemedBy, RequestOf } from "../../src/kernel/command/request.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { get } from "../../src/kernel/state/persistent-map.ts";
import { DAY_MS } from "../../src/kernel/state/spans.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { later } from "../../src/spine/values/instant.ts";
import { cannot } from "../cannot.ts";
import { HOUR, invitation, passkeyOf, redemption, serve, servedConfigOf, someone } from "../kernel/signing-in.ts";
import {
  ALICE,
  type Ask,
  apply,
  approve,
  BOB,
  CAROL,
  codesOf,
  configOf,
  freshToken,
  planned,
  refusalsOf,
  type Story,
  story,
} from "../kernel/story.ts";
import { coded, state as vmState, wantStopped } from "../spine/world.ts";

const SERVED: RecordedConfig = { ...configOf("four-eyes"), service: { sessions: { hours: 12, idleMinutes: 30 } } };
const AT_DOOR: Ask = { by: KERNEL_ACTOR, config: SERVED, door: "service", everywhere: true };

const begun = (config = SERVED): Story => {
  const told = story("four-eyes");
  serve(told, config);
  return told;
};
const inviting = (more: Partial<RequestOf<"invite">> = {}, asking: Ask = {}): readonly Refusal[] => {
  const told = begun();
  return refusalsOf(told.ask(invitation(told, "finn", more), { config: SERVED, everywhere: true, ...asking }));
};
const caused = (cause: string, refusals: readonly Refusal[]): readonly Refusal[] => {
  assert.ok(
    refusals.some((one) => one.code === "invitation-refused" && one.cause === cause),
    JSON.stringify(refusals),
  );
  return refusals;
};

cannot("B2", "invite under the name of somebody else", {
  neighbour: () => inviting(),
  offence: () => caused("name-taken", inviting({ subject: "bob" })),
});
cannot("B2", "invite for longer than a week", {
  neighbour: () => inviting({ expiresAt: later(begun().now(), 7 * DAY_MS) }),
  offence: () => caused("end", inviting({ expiresAt: later(begun().now(), 7 * DAY_MS + 1) })),
});
cannot("B2", "invite somebody as an agent", {
  neighbour: () => inviting({ grants: [{ environments: "all", roles: ["observer"] }] }),
  offence: () => caused("roles", inviting({ grants: [{ environments: "all", roles: ["agent"] }] })),
});
cannot("B2", "invite somebody to nothing", {
  neighbour: () => inviting(),
  offence: () => caused("roles", inviting({ grants: [] })),
});
cannot("B3", "invite into an environment that there is not", {
  neighbour: () => inviting({ grants: [{ environments: ["home"], roles: ["approver"] }] }),
  offence: () => inviting({ grants: [{ environments: ["nowhere"], roles: ["approver"] }] }),
});
cannot("P7-A1", "invite without being operator", {
  neighbour: () => inviting({}, { by: CAROL, door: "service" }),
  offence: () => {
    const refusals = inviting({}, { by: BOB, door: "service" });
    assert.deepEqual(
      refusals.map(({ code }) => code),
      ["role-missing"],
    );
    return refusals;
  },
});
cannot("B2", "invite where people sign in", {
  neighbour: () => inviting(),
  offence: () => {
    const config = servedConfigOf("four-eyes");
    const told = begun(config);
    return coded("people-by-oidc", refusalsOf(told.ask(invitation(told, "finn"), { config, everywhere: true })));
  },
});

/** Finn is invited, something happens, and somebody redeems it. */
const redeeming = (
  request: (told: Story) => RequestOf<"redeem"> = () => redemption("finn"),
  happens: (told: Story) => void = () => undefined,
  asking: Ask = {},
): readonly Refusal[] => {
  const told = begun();
  told.ask(invitation(told, "finn"), { config: SERVED, everywhere: true });
  happens(told);
  return refusalsOf(told.ask(request(told), { ...AT_DOOR, ...asking }));
};
cannot("B2", "redeem an invitation with another secret", {
  neighbour: () => redeeming(),
  offence: () =>
    caused(
      "not-open",
      redeeming(() => redemption("finn", "a guess")),
    ),
});
cannot("B2", "redeem an invitation of somebody else", {
  neighbour: () => redeeming(),
  offence: () =>
    caused(
      "not-open",
      redeeming(() => redemption("gwen", "secret of finn")),
    ),
});
cannot("B2", "redeem an invitation that has ended", {
  neighbour: () => redeeming(undefined, (told) => told.pass(24 * HOUR - 1)),
  offence: () =>
    caused(
      "not-open",
      redeeming(undefined, (told) => told.pass(24 * HOUR)),
    ),
});
cannot("B2", "redeem an invitation twice", {
  neighbour: () => redeeming(),
  offence: () =>
    caused(
      "not-open",
      redeeming(undefined, (told) => void told.ask(redemption("finn"), AT_DOOR)),
    ),
});
cannot("B2", "redeem an invitation whose place another took", {
  neighbour: () => redeeming(),
  offence: () => {
    const again = (told: Story): void => {
      const second = invitation(told, "finn", { secret: sha256("the second") });
      assert.deepEqual(codesOf(told.ask(second, { config: SERVED, everywhere: true })), []);
    };
    return caused("not-open", redeeming(undefined, again));
  },
});
cannot("B2", "redeem an invitation at the ledger's own files", {
  neighbour: () => redeeming(),
  offence: () => coded("sign-in-refused", redeeming(undefined, undefined, { door: "local" })),
});
cannot("B2", "be two people with one passkey", {
  neighbour: () => redeeming(),
  offence: () =>
    caused(
      "passkey-known",
      redeeming(
        () => redemption("finn", undefined, passkeyOf("gwen")),
        (told) => {
          told.ask(invitation(told, "gwen"), { config: SERVED, everywhere: true });
          assert.deepEqual(codesOf(told.ask(redemption("gwen"), AT_DOOR)), []);
        },
      ),
    ),
});
cannot("B2", "set what is no passkey", {
  neighbour: () => redeeming(),
  offence: () =>
    caused(
      "form",
      redeeming(() => redemption("finn", undefined, { ...passkeyOf("finn"), publicKey: "" })),
    ),
});

const signsIn = (told: Story, credential: string, config = SERVED): readonly Refusal[] =>
  refusalsOf(
    told.ask(
      {
        by: { credential, kind: "passkey" },
        kind: "sign-in",
        session: { ...freshToken(told.now(), told.records.length), expiresAt: later(told.now(), HOUR) },
        subject: "finn",
      },
      { ...AT_DOOR, config },
    ),
  );
const withPasskey = (): Story => {
  const told = begun();
  told.ask(invitation(told, "finn"), { config: SERVED, everywhere: true });
  assert.deepEqual(codesOf(told.ask(redemption("finn"), AT_DOOR)), []);
  return told;
};
cannot("B2", "sign in by a passkey that somebody else set", {
  neighbour: () => signsIn(withPasskey(), passkeyOf("finn").credential),
  offence: () => coded("sign-in-refused", signsIn(withPasskey(), passkeyOf("gwen").credential)),
});
cannot("B2", "sign in by a passkey where people sign in at a provider", {
  neighbour: () => signsIn(withPasskey(), passkeyOf("finn").credential),
  offence: () => {
    const told = withPasskey();
    const config = servedConfigOf("four-eyes");
    serve(told, config);
    return coded("people-by-oidc", signsIn(told, passkeyOf("finn").credential, config));
  },
});

/** Carol, who invited finn, asks for a change; finn approves it, by what they set; carol applies. */
const agreed = (set: (told: Story) => RedeemedBy): readonly Refusal[] => {
  const told = begun();
  told.ask(invitation(told, "finn"), { by: CAROL, config: SERVED, door: "service", everywhere: true });
  const by = set(told);
  assert.deepEqual(codesOf(told.ask(redemption("finn", undefined, by), AT_DOOR)), []);
  if (by.kind === "passkey") assert.deepEqual(signsIn(told, by.credential), []);
  const { of } = planned(told, {
    by: CAROL,
    config: SERVED,
    door: "service",
    entries: [wantStopped("power-off")],
    vms: [vmState()],
  });
  const given = approve(told, of, someone("finn", "approver"), { config: SERVED, door: "service" });
  return given.kind === "refused"
    ? given.refusals
    : refusalsOf(apply(told, of, CAROL, { config: SERVED, door: "service" }));
};
cannot("B2", "be the other pair of eyes by a token that an invitation set", {
  neighbour: () => agreed(() => passkeyOf("finn")),
  offence: () =>
    coded(
      "approval-made",
      agreed((told) => ({ kind: "token", ...freshToken(told.now(), told.records.length) })),
    ),
});

test("an operator who ends a person with a passkey ends the passkey, and the name is free again", () => {
  const told = withPasskey();
  assert.deepEqual(signsIn(told, passkeyOf("finn").credential), []);
  const ends = { ends: "person", kind: "sign-out", reason: "left the team", subject: "finn" } as const;
  assert.deepEqual(codesOf(told.ask(ends, { by: ALICE, config: SERVED, everywhere: true })), []);
  assert.equal(get(told.state().people, "finn"), undefined);
  assert.equal(signsIn(told, passkeyOf("finn").credential)[0]?.cause, "passkey");
  assert.deepEqual(codesOf(told.ask(invitation(told, "finn"), { config: SERVED, everywhere: true })), []);
});
