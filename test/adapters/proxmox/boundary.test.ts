// What the live adapter cannot do: mutate while it looks, go unverified, show a secret, pass anything through, or take
// one machine for another. Each beside the nearest thing that it does.

import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import type { Actuator } from "../../../src/adapters/actuator.ts";
import { type ProxmoxAdapter, proxmoxAdapter } from "../../../src/adapters/proxmox/adapter.ts";
import { Secret } from "../../../src/adapters/secret.ts";
import type { ServerTrust } from "../../../src/dial/trust.ts";
import type { Action, DesiredVm, Refusal, Sha256 } from "../../../src/spine/model.ts";
import { plan } from "../../../src/spine/plan/plan.ts";
import { observe } from "../../../src/spine/values/observation.ts";
import { sources } from "../../../tools/sources.ts";
import { cannot, type Objection } from "../../cannot.ts";
import { mayLeave } from "../may-leave.ts";
import { CALM, config, configAt, NOW, UUID, vmid } from "./answers.ts";
import { certificate } from "./certificate.ts";
import { codesOf, intentFor, UPID } from "./intents.ts";
import { type Answers, CERTIFICATE, openProviderFor, type TestProvider, TOKEN, TOKEN_SECRET } from "./provider.ts";

const signal = new AbortController().signal;
const ACTING: Answers = { ...CALM, "POST /nodes/pve1/qemu/101/status/start": { data: UPID } };

const adapterAt = (
  provider: TestProvider,
  tls: ServerTrust = { sha256: provider.certificate.fingerprint, verify: "pinned" },
): ProxmoxAdapter =>
  proxmoxAdapter({
    apply: new Secret(TOKEN),
    environment: "home",
    now: () => NOW,
    observe: new Secret(TOKEN),
    sleep: async () => undefined,
    tls,
    url: provider.url,
  });

const at = <T>(answers: Answers, work: (provider: TestProvider) => Promise<T>, identity = CERTIFICATE): Promise<T> =>
  openProviderFor(answers, work, identity);

/** Every verb that reached the wire and is not GET. */
const mutations = (provider: TestProvider, rule: string): readonly Objection[] =>
  provider.asked.filter(({ verb }) => verb !== "GET").map(({ verb, what }) => ({ rule, said: `${verb} ${what}` }));

cannot("N3", "send anything but GET while it looks, where acting would", {
  neighbour: () =>
    at(ACTING, async (provider) => {
      await adapterAt(provider).source.observe([{ vmid: vmid(101) }, { vmid: vmid(102) }], signal, ["snapshots"]);
      assert.ok(provider.asked.length > 4);
      return mutations(provider, "N3");
    }),
  offence: () =>
    at(ACTING, async (provider) => {
      await (adapterAt(provider).actuator as Actuator).send(intentFor({ kind: "vm.start" }), signal, mayLeave);
      return mutations(provider, "N3");
    }),
});

/** An observation that saw nothing because of the connection, as an objection. */
const unverified = (tls: ServerTrust | "its own", identity = CERTIFICATE): Promise<readonly Objection[]> =>
  at(
    CALM,
    async (provider) => {
      const { gaps } = await adapterAt(provider, tls === "its own" ? undefined : tls).source.observe(
        [{ vmid: vmid(101) }],
        signal,
      );
      assert.equal(provider.asked.length === 0, gaps.length > 0, "what is not verified gets no request");
      return gaps.map(({ code }) => ({ because: code, rule: "B4" }));
    },
    identity,
  );

cannot("B4", "talk to a certificate that is not the pinned one", {
  neighbour: () => unverified("its own"),
  offence: () => unverified({ sha256: certificate().fingerprint, verify: "pinned" }),
});

cannot("B4", "talk to a certificate that no authority vouches for", {
  neighbour: () => unverified("its own"),
  offence: () => unverified({ verify: "system" }),
});

/** Everything that can be done to a value to see what is in it. */
const shownForms = (value: unknown): readonly string[] => [
  String(value),
  `${value}`,
  JSON.stringify({ value }) ?? "",
  inspect(value, { depth: 20, getters: true, showHidden: true }),
  inspect(structuredClone(Object.assign({}, value))),
  Object.entries(Object(value)).join(),
];
const leaks = (value: unknown): readonly Objection[] =>
  shownForms(value)
    .filter((text) => text.includes(TOKEN_SECRET))
    .map((text) => ({ rule: "B5", text: text.length.toString() }));

cannot("B5", "print, join, inspect, clone or serialise a secret, as a text can", {
  neighbour: () => leaks(new Secret(TOKEN)),
  offence: () => leaks({ value: TOKEN }),
});

test("nothing that the adapter says holds the secret, whatever the provider answers", async () => {
  // A provider that sends back what it was sent, in every text there is.
  const echo: Answers = new Proxy(
    {},
    {
      get: () => (asked: { readonly authorization: string }) => ({
        message: asked.authorization,
        reason: asked.authorization,
        status: 500,
      }),
    },
  );
  await at(echo, async (provider) => {
    const adapter = adapterAt(provider);
    const said = [
      adapter,
      await adapter.source.observe([{ vmid: vmid(101) }], signal),
      await adapter.examine([{ isProtected: false, vmid: vmid(101) }], signal),
      await (adapter.actuator as Actuator).send(intentFor({ kind: "vm.start" }), signal, mayLeave),
    ];
    assert.ok(provider.asked.some(({ authorization }) => authorization.includes(TOKEN_SECRET)));
    assert.ok(!inspect(said, { depth: 20 }).includes(TOKEN_SECRET));
  });
});

test("a secret is revealed where the token is read and where it is sent, and nowhere else", () => {
  const revealing = [...sources()].filter(([file, text]) => file.startsWith("src/") && text.includes(".reveal("));
  assert.deepEqual(
    revealing.map(([file]) => file),
    ["src/adapters/proxmox/api/connection.ts", "src/adapters/proxmox/api/pve-token.ts"],
  );
});

const sending = (action: Action): Promise<readonly Objection[]> =>
  at(
    { ...ACTING, "POST /nodes/pve1/qemu/101/snapshot": { data: UPID.replace("qmstart", "qmsnapshot") } },
    async (provider) => {
      const sent = await (adapterAt(provider).actuator as Actuator).send(intentFor(action), signal, mayLeave);
      assert.equal(mutations(provider, "B7").length === 0, sent.kind === "failed", "what is refused does not leave");
      return sent.kind === "failed" ? [{ because: codesOf(sent), rule: "B7" }] : [];
    },
  );

cannot("B7", "pass a path through as the name of a snapshot", {
  neighbour: () => sending({ kind: "vm.snapshot.create", snapshot: "before-upgrade" }),
  offence: () => sending({ kind: "vm.snapshot.create", snapshot: "../status/stop" }),
});

cannot("B7", "send an action that this adapter does not list", {
  neighbour: () => sending({ kind: "vm.start" }),
  offence: () => sending({ kind: "vm.migrate", node: "pve2" }),
});

const GROUND = { environment: "0".repeat(64) as Sha256, policy: "0".repeat(64) as Sha256 };

/** An entry for the machine that was seen first, planned on what the provider shows. */
const planned = (answers: Answers): Promise<readonly Refusal[]> =>
  at({ ...CALM, ...answers }, async (provider) => {
    const identity = `uuid ${UUID}, created 1794000000`;
    const entry: DesiredVm = { identity, kind: "desired", name: "vm-101", target: "running", vmid: vmid(101) };
    const seen = observe(await adapterAt(provider).source.observe([{ vmid: vmid(101) }], signal));
    const entries = { digest: "0".repeat(64) as Sha256, environment: "home", entries: [entry] };
    return plan(entries, seen, "all", GROUND).answers.filter((answer) => answer.kind === "refusal");
  });

cannot("N8", "start a machine that was made anew under the same id and name", {
  neighbour: () => planned({}),
  offence: () => planned(configAt({ data: config(101, { meta: "creation-qemu=10.0.2,ctime=1794999999" }) })),
});

cannot("N8", "start a machine that hides what it is", {
  neighbour: () => planned(configAt({ data: config(101, { vmgenid: undefined }) })),
  offence: () => planned(configAt({ data: config(101, { smbios1: undefined }) })),
});
