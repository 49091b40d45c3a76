// What is of an environment is seen by whoever has a role in it. Every read of the service says in one table how it is
// kept apart: without a row here a new one does not compile.
//
// home has plans, an intent, records, a freeze, a token and an invitation; away has next to nothing. Whoever has roles
// in away alone finds no trace of home in any answer, and is told of what they name there what they would be told of
// what does not exist.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ulids } from "../../src/ids.ts";
import type { ServiceAnswer } from "../../src/service/answer.ts";
import type { Caller } from "../../src/service/hold/callers.ts";
import type { Reads, Service } from "../../src/service/service.ts";
import { refuse } from "../../src/spine/rules/refusals.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { cannot } from "../cannot.ts";
import { bearer, codes, type Ending, OPERATOR, ok, readyToApply, serving } from "./serving.ts";

const AWAY = `  away:
    adapter: replay
    path: current.json
    approval: single-operator
    maxObservationAge: 5 min
    desired: away.yaml
service: { url: "http://localhost:7400" }
`;

const nextId = ulids();

/** What somebody may name: as it is in home, or as nothing is. */
type Names = {
  readonly desired: string;
  readonly environment: string;
  readonly intent: string;
  readonly plan: string;
  readonly vm: string;
};
const INVENTED: Names = {
  desired: sha256("nothing"),
  environment: "moon",
  intent: nextId(),
  plan: nextId(),
  vm: "404",
};

type Place = {
  readonly away: Caller;
  readonly everywhere: Caller;
  readonly home: Caller;
  /** What nobody finds who has no role in home. */
  readonly marks: readonly string[];
  readonly names: Names;
  readonly service: Service;
};

const place = async (t: Ending): Promise<Place> => {
  const { open } = await serving(t, AWAY, (ports) => ({
    ...ports,
    adapter: async (environment, ...given) =>
      environment === "home"
        ? ports.adapter(environment, ...given)
        : refuse("adapter-unavailable", { facts: { environment } }),
  }));
  const service = open();
  const tokenOf = async (name: string, environments: "all" | readonly string[]): Promise<Caller> => {
    const roles = environments === "all" ? (["auditor"] as const) : (["auditor", "operator"] as const);
    const { value } = ok(await service.createToken(OPERATOR, { days: 7, environments, kind: "person", name, roles }));
    return bearer(value.token ?? assert.fail("it is shown once"));
  };
  const ready = await readyToApply(service);
  const { value: applying } = ok(await service.apply(OPERATOR, ready));
  await applying.underway?.ended;
  ok(await service.freeze(OPERATOR, { environment: "home", reason: "incident at the mill" }));
  const [away, everywhere, home] = [
    await tokenOf("awan", ["away"]),
    await tokenOf("audra", "all"),
    await tokenOf("homer", ["home"]),
  ];
  ok(await service.invite(OPERATOR, { days: 7, environments: ["home"], name: "hedda", roles: ["approver"] }));
  const { registration } = ok(await service.desired(OPERATOR, { environment: "home" })).value;
  const { records } = ok(await service.status(OPERATOR, {})).value;
  assert.ok(records > 5);
  return {
    away,
    everywhere,
    home,
    marks: ["web-01", "incident at the mill", "hedda", "homer", ready.plan, applying.intent, '"home"'],
    names: {
      desired: registration?.digest ?? assert.fail("it is registered"),
      environment: "home",
      intent: applying.intent,
      plan: ready.plan,
      vm: "101",
    },
    service,
  };
};

type Ask = (service: Service, caller: Caller, names: Names) => Promise<ServiceAnswer<unknown>>;
/**
 * `seen`: each caller what is of their environments. `whole`: for whoever audits or operates all of them. `own`: of
 * oneself.
 */
type Row = { readonly ask: Ask; readonly of: "own" | "seen" | "whole" };
const seen = (ask: Ask): Row => ({ ask, of: "seen" });
const whole = (ask: Ask): Row => ({ ask, of: "whole" });

const collected = async (answer: Awaited<ReturnType<Service["records"]>>): Promise<ServiceAnswer<unknown>> => {
  if (answer.kind === "refused") return answer;
  const pieces: unknown[] = [];
  for await (const piece of answer.value.pieces) pieces.push(piece.kind === "record" ? piece.record : piece);
  return { ...answer, value: pieces };
};

const READS: { readonly [K in keyof Reads]: Row } = {
  answered: { ask: (service, caller) => service.answered(caller, { key: nextId() }), of: "own" },
  blob: seen(async (service, caller, { desired: digest }) => {
    const answer = await service.blob(caller, { digest });
    return answer.kind === "ok" ? { ...answer, value: Buffer.from(answer.value.bytes).toString("utf8") } : answer;
  }),
  checkpoints: whole((service, caller) => service.checkpoints(caller, {})),
  comparePlans: seen((service, caller, { plan }) => service.comparePlans(caller, { plan, with: plan })),
  desired: seen((service, caller, { environment }) => service.desired(caller, { environment })),
  drift: seen((service, caller, { environment }) => service.drift(caller, { environment })),
  environments: seen((service, caller) => service.environments(caller, {})),
  examine: whole((service, caller) => service.examine(caller, {})),
  explain: seen((service, caller, { plan }) => service.explain(caller, { plan, step: { number: 1 } })),
  export: whole(async (service, caller) => {
    const answer = await service.export(caller, {});
    if (answer.kind === "ok") for await (const piece of answer.value.pieces) assert.ok(piece);
    return answer;
  }),
  fleet: seen((service, caller) => service.fleet(caller, {})),
  history: seen((service, caller, { vm }) => service.history(caller, { vm })),
  intent: seen((service, caller, { intent }) => service.intent(caller, { intent })),
  inventory: seen((service, caller, { environment }) => service.inventory(caller, { environment })),
  people: seen((service, caller) => service.people(caller, {})),
  plans: seen((service, caller) => service.plans(caller, {})),
  prove: whole((service, caller) => service.prove(caller, { seq: 0 })),
  records: seen(async (service, caller, { environment }) =>
    collected(await service.records(caller, { environment, from: 0 })),
  ),
  replay: whole((service, caller) => service.replay(caller, {})),
  rules: { ask: (service, caller) => service.rules(caller, {}), of: "own" },
  showPlan: seen((service, caller, { plan }) => service.showPlan(caller, { plan })),
  stateAfter: whole((service, caller) => service.stateAfter(caller, { at: 1 })),
  status: seen((service, caller) => service.status(caller, {})),
  tokens: seen((service, caller) => service.tokens(caller, {})),
  verify: whole((service, caller) => service.verify(caller, {})),
  vm: seen((service, caller, { environment, vm }) => service.vm(caller, { environment, vm })),
  vms: seen((service, caller) => service.vms(caller, {})),
  whatIf: seen((service, caller, { environment }) =>
    service.whatIf(caller, {
      environment,
      policy: { file: "policy.yaml", text: "version: 1\ntighten: [{ action: vm.start, to: refused }]\n" },
    }),
  ),
  whoami: { ask: (service, caller) => service.whoami(caller, {}), of: "own" },
};

const toldIn = (answer: ServiceAnswer<unknown>): string =>
  JSON.stringify(answer.kind === "ok" ? answer.value : answer.refusals);

for (const [operation, { ask, of }] of Object.entries(READS) as [keyof Reads, Row][]) {
  if (of === "own") {
    test(`${operation} tells whoever asks of themselves, and nobody of another environment`, async (t) => {
      const { away, marks, names, service } = await place(t);
      const answer = await ask(service, away, names);
      assert.deepEqual(codes(answer), []);
      for (const mark of marks) assert.ok(!toldIn(answer).includes(mark), `${mark} in ${toldIn(answer)}`);
    });
  } else if (of === "whole") {
    test(`${operation} is for whoever audits or operates all environments`, async (t) => {
      const { away, everywhere, home, names, service } = await place(t);
      for (const caller of [away, home])
        assert.deepEqual(codes(await ask(service, caller, names)), ["role-elsewhere"], operation);
      assert.deepEqual(codes(await ask(service, everywhere, names)), []);
    });
  } else {
    test(`${operation} shows an environment to whoever has a role there, and to others as if it were not`, async (t) => {
      const { away, home, marks, names, service } = await place(t);
      const there = await ask(service, home, names);
      assert.ok(
        marks.some((mark) => toldIn(there).includes(mark)),
        `nothing of home is shown to whoever has a role there: ${toldIn(there)}`,
      );
      assert.deepEqual(codes(there), operation === "inventory" ? ["inventory-unavailable"] : []);
      const elsewhere = await ask(service, away, names);
      const invented = await ask(service, away, INVENTED);
      if (elsewhere.kind === "refused") {
        // What does not exist is told in the same way.
        const asNamed = (Object.keys(names) as (keyof Names)[]).reduce(
          (text, name) => text.replaceAll(JSON.stringify(INVENTED[name]), JSON.stringify(names[name])),
          toldIn(invented),
        );
        assert.equal(toldIn(elsewhere), asNamed);
        return;
      }
      for (const mark of marks) assert.ok(!toldIn(elsewhere).includes(mark), `${mark} in ${toldIn(elsewhere)}`);
    });
  }
}

test("what a step looked like when it was shown is not told of a plan of another environment", async (t) => {
  const { away, home, names, service } = await place(t);
  const asShown = (caller: Caller) =>
    service.explain(caller, { plan: names.plan, step: { number: 1 }, words: "as-shown" });
  assert.deepEqual(codes(await asShown(home)), []);
  assert.deepEqual(codes(await asShown(away)), ["usage"]);
});

test("records without an environment are those of the whole, and need a role for all", async (t) => {
  const { away, everywhere, service } = await place(t);
  assert.deepEqual(codes(await service.records(away, { from: 0 })), ["role-elsewhere"]);
  const all = ok(await collected(await service.records(everywhere, { from: 0 }))).value as { environment?: string }[];
  assert.ok(all.some(({ environment }) => environment === undefined) && all.some(({ environment }) => environment));
  const home = ok(await collected(await service.records(everywhere, { environment: "home", from: 0 })));
  assert.ok((home.value as { environment?: string }[]).every(({ environment }) => environment === "home"));
});

test("who is given another token under the same name does not find the keys of the environment that they lost", async (t) => {
  const { home, service } = await place(t);
  const key = nextId();
  ok(await service.annotate({ ...home, key }, { environment: "home", text: "seen" }));
  assert.ok(ok(await service.answered(home, { key })).value.record !== undefined);
  ok(await service.revokeToken(OPERATOR, { name: "homer" }));
  const request = { days: 7, environments: ["away"], name: "homer", roles: ["operator"] } as const;
  const { value } = ok(await service.createToken(OPERATOR, request));
  assert.deepEqual(ok(await service.answered(bearer(value.token ?? ""), { key })).value, {});
});

/** Acts that name a plan, a record or an environment of home, by somebody of home or of away. */
const ACTS: Readonly<Record<string, Ask>> = {
  annotate: (service, caller) => service.annotate(caller, { about: 1, text: "seen" }),
  apply: (service, caller, { plan }) => service.apply(caller, { plan, step: { number: 1 } }),
  cancel: (service, caller, { plan }) => service.cancel(caller, { plan, reason: "not needed" }),
  freeze: (service, caller, { environment }) => service.freeze(caller, { environment, reason: "incident" }),
  observe: (service, caller, { environment }) => service.observe(caller, { environment }),
  plan: (service, caller, { environment }) => service.makePlan(caller, { environment, scope: "all" }),
  prepareApply: (service, caller, { plan }) => service.prepareApply(caller, { plan }),
  allowances: (service, caller, { environment }) => service.allowances(caller, { environment }),
  review: (service, caller, { plan }) => service.review(caller, { plan, step: { number: 1 } }),
  reconcile: (service, caller, { environment }) => service.reconcile(caller, { environment, vmid: "101" }),
};
const UNKNOWN: ReadonlySet<string> = new Set(["environment-unknown", "plan-unknown", "usage"]);
for (const [act, ask] of Object.entries(ACTS)) {
  test(`${act} in another environment is refused as what does not exist, and nothing is recorded or observed`, async (t) => {
    const { away, home, names, service } = await place(t);
    const before = ok(await service.status(OPERATOR, {})).value.records;
    const [code = ""] = codes(await ask(service, away, names));
    assert.ok(UNKNOWN.has(code), code);
    assert.equal(ok(await service.status(OPERATOR, {})).value.records, before);
    const [there] = codes(await ask(service, home, names));
    assert.ok(there === undefined || !UNKNOWN.has(there), there);
  });
}

cannot("B3", "drive a provider by a role in another environment", {
  neighbour: () => driven("home"),
  offence: () => driven("away"),
});
const driven = async (as: "away" | "home") => {
  const endings: (() => Promise<void>)[] = [];
  try {
    const where = await place({ after: (work) => endings.push(work) });
    const answer = await where.service.drift(where[as], { environment: "home" });
    return answer.kind === "refused" ? answer.refusals : [];
  } finally {
    for (const end of endings) await end();
  }
};
