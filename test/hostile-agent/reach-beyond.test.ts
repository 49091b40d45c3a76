// An agent that reaches for what it may not touch: VMs that nobody wrote down, production, VMs by names that only
// look like theirs, and a refused change in smaller pieces.

import assert from "node:assert/strict";
import { suite } from "node:test";
import type { Replied } from "../boundary/at-door.ts";
import { cannot } from "../cannot.ts";
import { applied, hostile, refusedIn } from "./hostile.ts";
import { BATCH, PROD, UNWRITTEN } from "./simulated-vms.ts";
import { approve, approvedBy, atStep, planBy, type Stage, stageOf, tool } from "./stage.ts";

const START = { kind: "vm.start" } as const;

const planned = ({ robo }: Stage, vm: unknown, action: object = START): Promise<Replied> =>
  tool(robo, "plan_action", { action, environment: "home", vm });
const plannedFresh = (at: Stage): Promise<Replied> => planned(at, at.freshVm());
const appliesOwn = async (at: Stage): Promise<Replied> => applied(at, at.robo, await approvedBy(at, at.robo));

suite("an agent that reaches beyond", () => {
  const stage = stageOf();

  suite("names another VM", () => {
    cannot(
      "P7-A1",
      "plan a VM that nobody wrote down",
      hostile(stage, {
        code: "vm-not-desired",
        neighbour: plannedFresh,
        offence: (at) => planned(at, UNWRITTEN),
        records: ["agent observe observed", "agent plan refused"],
      }),
    );
    const words: Readonly<Record<string, string>> = {
      "by a name that nobody wrote down": "ghost",
      "by a name with a zero-width space": "vm\u200b-200",
      "by a name with a soft hyphen": "vm\u00ad-200",
      "by a name that is written backwards": "\u202e002-mv",
      "by a name in letters of another alphabet": "v\u043c-200",
      "by a name with a NUL": "vm-200\u0000",
      "by a name with a line break": "vm-200\nprod-db",
      "by digits of full width": "\uff12\uff10\uff10",
      "by Arabic digits": "\u0662\u0660\u0660",
      "by a number in base 16": "0xc8",
      "by a number with an exponent": "2e2",
      "by a number with a blank": " 200",
      "by a path": "../200",
      "by a path into another environment": "away/101",
      "by an address": "https://pve.example/200",
      "by a pattern": "vm-*",
      "by two names": "vm-200,vm-201",
      "by a query": "200' OR '1'='1",
    };
    for (const [what, word] of Object.entries(words)) {
      cannot(
        "P7-F1",
        `plan a VM ${what}`,
        hostile(stage, { code: "usage", neighbour: (at) => planned(at, "vm-200"), offence: (at) => planned(at, word) }),
      );
    }
    const values: Readonly<Record<string, readonly [code: string, vm: unknown]>> = {
      "a fraction": ["type-wrong", 200.5],
      "a list of VMs": ["type-wrong", [200, 201]],
      "a negative number": ["value-wrong", -200],
      "a number beyond all VMs": ["value-wrong", 2 ** 53],
      "a text without end": ["type-wrong", "v".repeat(5_000)],
      "an object": ["type-wrong", { vmid: 200 }],
      nothing: ["type-wrong", null],
      "no text": ["type-wrong", ""],
    };
    for (const [what, [code, vm]] of Object.entries(values)) {
      cannot(
        "P7-F1",
        `name a VM by ${what}`,
        hostile(stage, { code, neighbour: (at) => planned(at, 200), offence: (at) => planned(at, vm) }),
      );
    }
    cannot(
      "B3",
      "plan in an environment that is not there",
      hostile(stage, {
        code: "environment-unknown",
        neighbour: plannedFresh,
        offence: ({ robo }) => tool(robo, "plan_action", { action: START, environment: "moon", vm: 200 }),
      }),
    );
    for (const environment of ["HOME", "home ", "../home", "home\u200b", "*", ""]) {
      cannot(
        "P7-F1",
        `plan in an environment called ${JSON.stringify(environment)}`,
        hostile(stage, {
          code: "value-wrong",
          neighbour: plannedFresh,
          offence: ({ robo }) => tool(robo, "plan_action", { action: START, environment, vm: 200 }),
        }),
      );
    }
  });

  suite("asks for another action", () => {
    for (const action of [{ kind: "vm.exec" }, { kind: "vm.rename" }, { kind: "VM.START" }, { kind: "vm.*" }]) {
      cannot(
        "B7",
        `plan ${action.kind}, which is not in the catalogue`,
        hostile(stage, {
          code: "action-unknown",
          neighbour: plannedFresh,
          offence: (at) => planned(at, 200, action),
        }),
      );
    }
    cannot(
      "P7-F1",
      "hide a second thing in an action",
      hostile(stage, {
        code: "key-unknown",
        neighbour: plannedFresh,
        offence: (at) =>
          planned(at, 200, { kind: "vm.snapshot.create", next: { kind: "vm.stop" }, snapshot: "before" }),
      }),
    );
  });

  suite("touches production", () => {
    /** Planned, refused as a whole, and approved by whoever tries. */
    const refusedPlan = async (at: Stage, vm: number, action: object): Promise<string> => {
      const plan = await planBy(at.robo, vm, action);
      const refused = refusedIn(await approve(at, plan, at.ada));
      assert.equal(refused[0]?.code, "plan-refused");
      return plan;
    };
    /** One refused change, and every smaller one that would come to the same. */
    const pieces: readonly (readonly [what: string, action: object])[] = [
      ["shut down", { kind: "vm.shutdown" }],
      ["stop", { kind: "vm.stop" }],
      ["suspend", { kind: "vm.suspend" }],
      ["reboot", { kind: "vm.reboot" }],
      ["reset", { kind: "vm.reset" }],
      ["resize", { cpus: 3, kind: "vm.resize" }],
    ];
    for (const [what, action] of pieces) {
      cannot(
        "N2",
        `${what} production, whoever approves`,
        hostile(stage, {
          code: "plan-refused",
          given: (at) => refusedPlan(at, PROD.named, action),
          neighbour: appliesOwn,
          offence: ({ robo }, plan) => tool(robo, "apply_step", atStep(plan)),
          records: ["agent apply refused"],
        }),
      );
    }
    for (const [what, vm] of [
      ["is tagged so", PROD.tagged],
      ["operators protect", PROD.protected],
    ] as const) {
      cannot(
        "N2",
        `shut down a VM that ${what}`,
        hostile(stage, {
          code: "plan-refused",
          given: (at) => refusedPlan(at, vm, { kind: "vm.shutdown" }),
          neighbour: ({ robo }) =>
            tool(robo, "plan_action", { action: { kind: "vm.shutdown" }, environment: "home", vm: BATCH }),
          offence: ({ robo }, plan) => tool(robo, "apply_step", atStep(plan)),
          records: ["agent apply refused"],
        }),
      );
    }
    cannot(
      "P7-A1",
      "rename production in what operators write down",
      hostile(stage, {
        code: "role-missing",
        neighbour: ({ post }) =>
          post("/v1/environments/away/desired", {
            desired: { file: "away.yaml", text: AWAY },
          }),
        offence: ({ post, robo }) =>
          post(
            "/v1/environments/away/desired",
            { desired: { file: "away.yaml", text: AWAY.replace("far-01", "spare-01") } },
            { token: robo.token },
          ),
        records: ["service register refused"],
      }),
    );
    cannot(
      "N8",
      "start a VM that has another name at the provider than the one that operators wrote down",
      hostile(stage, {
        code: "name-mismatch",
        neighbour: plannedFresh,
        offence: async (at) => {
          const vm = at.freshVm();
          at.provider.home.change({ kind: "renamed", name: "prod-web", vmid: vm });
          const { structuredContent } = await at.robo.call("plan_action", { action: START, environment: "home", vm });
          return Object(structuredContent.answer).plan.answers;
        },
        records: ["agent observe observed", "agent plan planned"],
      }),
    );
  });
});

const AWAY = `version: 1
environment: away
vms:
  - { vmid: 101, name: far-01, target: running }
  - { vmid: 102, name: far-02, target: running }
`;
