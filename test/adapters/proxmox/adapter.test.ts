// The adapter as a whole and its descriptor: what is opened, what is refused, and what it is without a token that can
// be used.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { AdapterSurroundings, ObservationListener } from "../../../src/adapters/descriptor.ts";
import { proxmoxAdapter } from "../../../src/adapters/proxmox/adapter.ts";
import { proxmox } from "../../../src/adapters/proxmox/descriptor.ts";
import { Secret } from "../../../src/adapters/secret.ts";
import { refuse } from "../../../src/spine/rules/refusals.ts";
import { mayLeave } from "../may-leave.ts";
import { CALM, NOW, row, vmid } from "./answers.ts";
import { intentFor, UPID } from "./intents.ts";
import { type Answers, openProvider, refused, TOKEN, TOKEN_SECRET } from "./provider.ts";

const signal = new AbortController().signal;
const APPLY = `dedalus@pve!apply=${TOKEN_SECRET}`;
const WANTED = [{ vmid: vmid(101) }];

type Tokens = { readonly apply?: string; readonly observe?: string };
const adapterFor = async (
  t: TestContext,
  { apply, observe = TOKEN }: Tokens,
  answers: Answers = CALM,
  listener: ObservationListener = {},
) => {
  const provider = await openProvider(t, answers);
  const adapter = proxmoxAdapter({
    ...listener,
    ...(apply === undefined ? {} : { apply: new Secret(apply) }),
    environment: "home",
    now: () => NOW,
    observe: new Secret(observe),
    sleep: async () => undefined,
    tls: { sha256: provider.certificate.fingerprint, verify: "pinned" },
    url: provider.url,
  });
  return { adapter, provider };
};

test("without a token that can be used nothing is observed, listed or sent, and it is heard", async (t) => {
  const heard: unknown[] = [];
  const onUnanswered = (unseen: unknown): void => void heard.push(unseen);
  const { adapter, provider } = await adapterFor(t, { apply: APPLY, observe: "x" }, CALM, { onUnanswered });
  const gaps = [{ code: "credential-unusable" }];
  assert.deepEqual(await adapter.source.observe(WANTED, signal), {
    complete: false,
    environment: "home",
    gaps,
    observedAt: NOW,
    version: 1,
    vms: [],
  });
  assert.deepEqual(heard, gaps);
  const { inventory = assert.fail("it lists") } = adapter;
  assert.deepEqual(await inventory(signal), { kind: "unanswered", unseen: gaps[0] });
  assert.deepEqual(Object.keys(adapter).sort(), ["examine", "inventory", "source"]);
  assert.deepEqual(provider.asked, []);
});

test("a token to act that is none sends nothing and judges nothing; without one there is no acting side", async (t) => {
  const { adapter, provider } = await adapterFor(t, { apply: "x" });
  const { actuator = assert.fail("an acting side") } = adapter;
  const intent = intentFor({ kind: "vm.start" });
  assert.deepEqual(await actuator.send(intent, signal, mayLeave), {
    diagnostics: [{ code: "not-sent" }, { code: "token-malformed" }],
    kind: "failed",
  });
  assert.deepEqual(await actuator.verdict(intent, UPID, signal), {
    diagnostics: [{ code: "token-malformed" }],
    kind: "unknown",
  });
  assert.deepEqual(provider.asked, []);
  assert.deepEqual(Object.keys((await adapterFor(t, {})).adapter).sort(), ["examine", "inventory", "source"]);
});

test("whoever listens hears how far an observation is, and that it was not answered", async (t) => {
  const heard: unknown[] = [];
  const listener: ObservationListener = {
    onProgress: (done) => void heard.push(done),
    onUnanswered: ({ code }) => void heard.push(code),
  };
  await (await adapterFor(t, {}, CALM, listener)).adapter.source.observe(WANTED, signal);
  assert.deepEqual(heard, [{ observed: 1, wanted: 1 }]);
  await (await adapterFor(t, {}, {}, listener)).adapter.source.observe(WANTED, signal);
  assert.deepEqual(heard.slice(1), ["list-not-seen"]);
});

test("an inventory is every guest of the list, how many rows could not be read, or why there is no list", async (t) => {
  const listed = async (answers: Answers) => {
    const { inventory = assert.fail("it lists") } = (await adapterFor(t, {}, { ...CALM, ...answers })).adapter;
    const found = await inventory(signal);
    return found.kind === "listed"
      ? { ids: found.observation.vms.map((one) => one.vmid), unread: found.unread }
      : [found.unseen.code, found.unseen.diagnostic?.code];
  };
  const list = "GET /cluster/resources?type=vm";
  assert.deepEqual(await listed({ [list]: { data: [row(101), 7] } }), { ids: [101], unread: 1 });
  assert.deepEqual(await listed({ [list]: refused(500, "no") }), ["list-not-seen", "http-refusal"]);
  assert.deepEqual(await listed({ [list]: { data: {} } }), ["list-not-seen", "answer-not-a-list"]);
});

const REFUSAL = refuse("service-needed", { cause: "door" });
const [OBSERVING, ACTING] = [{ file: "observe" }, { file: "apply" }];
const settings = (apply?: typeof ACTING) => ({
  credentials: { ...(apply === undefined ? {} : { apply }), observe: OBSERVING },
  tls: { verify: "system" },
  url: "https://localhost:1",
});
const given = (more: Partial<AdapterSurroundings> = {}): AdapterSurroundings => ({
  environment: "home",
  now: () => NOW,
  secret: (at) => new Secret(at === ACTING ? APPLY : TOKEN),
  sleep: async () => undefined,
  text: () => assert.fail("no file"),
  trust: () => ({ verify: "system" }),
  ...more,
});

test("it acts where a second token is named, and both tokens are secrets", () => {
  assert.deepEqual([proxmox.acts(settings(ACTING)), proxmox.acts(settings())], [true, false]);
  assert.deepEqual(proxmox.secrets(settings(ACTING)), [OBSERVING, ACTING]);
  assert.deepEqual(proxmox.secrets(settings()), [OBSERVING]);
  assert.equal(proxmox.live, true);
});

test("it is opened with its tokens and its trust, or refused with the reason of whichever is missing", async () => {
  const opened = async (apply: typeof ACTING | undefined, more: Partial<AdapterSurroundings> = {}) => {
    const adapter = await proxmox.open(settings(apply), given(more));
    return "code" in adapter ? adapter : "actuator" in adapter;
  };
  assert.equal(await opened(ACTING), true);
  assert.equal(await opened(undefined), false);
  const without = (missing: object) => ({
    secret: ((at) => (at === missing ? REFUSAL : new Secret(TOKEN))) as AdapterSurroundings["secret"],
  });
  assert.equal(await opened(ACTING, without(OBSERVING)), REFUSAL);
  assert.equal(await opened(ACTING, without(ACTING)), REFUSAL);
  assert.equal(await opened(undefined, without(ACTING)), false, "what is not named is not read");
  assert.equal(await opened(undefined, { trust: () => REFUSAL }), REFUSAL);
});

test("what is opened observes in the environment and by the clock that it was given", async (t) => {
  const provider = await openProvider(t, CALM);
  const trust = { sha256: provider.certificate.fingerprint, verify: "pinned" } as const;
  const adapter = await proxmox.open({ ...settings(), url: provider.url }, given({ trust: () => trust }));
  assert.ok("source" in adapter);
  const { environment, observedAt, vms } = await adapter.source.observe(WANTED, signal);
  assert.deepEqual([environment, observedAt, vms.length], ["home", NOW, 1]);
});
