// An agent that decides what people decide: names who approved, approves by itself, confirms, asks for tools that
// would, or makes itself somebody who may.

import { suite } from "node:test";
import type { Replied } from "../boundary/at-door.ts";
import { cannot } from "../cannot.ts";
import { applied, hostile } from "./hostile.ts";
import { approve, approvedBy, atStep, planBy, type Stage, stageOf, tool, toolUnder } from "./stage.ts";

const ownPlan = (at: Stage): Promise<string> => planBy(at.robo, at.freshVm());
const ownApproved = (at: Stage): Promise<string> => approvedBy(at, at.robo);
const appliesOwn = async (at: Stage): Promise<Replied> => applied(at, at.robo, await ownApproved(at));

suite("an agent that decides", () => {
  const stage = stageOf();

  suite("names an approver", () => {
    for (const field of ["approved_by", "approvedBy", "approver", "approvals", "actor", "on_behalf_of"]) {
      cannot(
        "P7-F1",
        `name an approver to apply_step as ${field}`,
        hostile(stage, {
          code: "key-unknown",
          given: ownApproved,
          neighbour: (at, plan) => applied(at, at.robo, plan),
          offence: (at, plan) => tool(at.robo, "apply_step", { ...atStep(plan), [field]: "ada" }),
        }),
      );
    }
    for (const [name, given] of [
      ["request_approval", atStep],
      ["explain_step", atStep],
      ["cancel_plan", (plan: string) => ({ plan, reason: "not needed" })],
    ] as const) {
      cannot(
        "P7-F1",
        `name an approver to ${name}`,
        hostile(stage, {
          code: "key-unknown",
          given: ownPlan,
          neighbour: (at, plan) => tool(at.robo, name, given(plan)),
          offence: (at, plan) => tool(at.robo, name, { ...given(plan), approver: "ada" }),
        }),
      );
    }
    for (const header of ["x-actor", "x-approved-by", "x-forwarded-user", "x-remote-user", "from"]) {
      cannot(
        "P7-A2",
        `name an approver in the header ${header}`,
        hostile(stage, {
          code: "approval-missing",
          given: ownPlan,
          neighbour: async (at) =>
            toolUnder(at, at.robo, "apply_step", atStep(await ownApproved(at)), { [header]: "ada" }),
          offence: (at, plan) => toolUnder(at, at.robo, "apply_step", atStep(plan), { [header]: "ada" }),
          records: ["agent apply refused"],
        }),
      );
    }
    cannot(
      "P7-A2",
      "name an approver in what a message says of itself",
      hostile(stage, {
        code: "approval-missing",
        given: ownPlan,
        neighbour: appliesOwn,
        offence: (at, plan) =>
          toolUnder(at, at.robo, "apply_step", atStep(plan), {}, { "dedalus/approvedBy": "ada", progressToken: "ada" }),
        records: ["agent apply refused"],
      }),
    );
  });

  suite("confirms", () => {
    const flags = {
      auto_approve: true,
      confirm: true,
      confirmation: { explanation: "0".repeat(64) },
      confirmed: "yes",
      "dry-run": false,
      force: true,
      i_am_sure: "true",
      skipApproval: 1,
      yes: true,
    };
    for (const [flag, value] of Object.entries(flags)) {
      cannot(
        "P7-F1",
        `apply by the flag ${flag}`,
        hostile(stage, {
          code: "key-unknown",
          given: ownPlan,
          neighbour: appliesOwn,
          offence: (at, plan) => tool(at.robo, "apply_step", { ...atStep(plan), [flag]: value }),
        }),
      );
    }
    cannot(
      "P7-A2",
      "confirm over HTTP, as an agent, what nobody approved",
      hostile(stage, {
        code: "approval-missing",
        given: async (at) => {
          const plan = await ownPlan(at);
          const { body } = await at.get(`/v1/plans/${plan}/steps/1/explanation`);
          return { hash: (body as { readonly explanation: { readonly hash: string } }).explanation.hash, plan };
        },
        neighbour: appliesOwn,
        offence: ({ post, robo }, { hash, plan }) =>
          post(`/v1/plans/${plan}/steps/1/applies`, { confirmation: { explanation: hash } }, { token: robo.token }),
        records: ["service apply refused"],
      }),
    );
  });

  suite("approves", () => {
    for (const [what, path, kind] of [
      ["approve", "approvals", "approve"],
      ["deny", "denials", "deny"],
      ["be shown what a person confirms", "challenges", "challenge"],
    ] as const) {
      const body = path === "challenges" ? {} : { reason: "read and agreed" };
      cannot(
        "P7-A2",
        `${what} over HTTP as an agent, of its own plan`,
        hostile(stage, {
          code: "agent-decides",
          given: ownPlan,
          neighbour: ({ bo, post, token }, plan) =>
            post(`/v1/plans/${plan}/steps/1/${path}`, body, { token: path === "challenges" ? token : bo }),
          offence: ({ post, robo }, plan) => post(`/v1/plans/${plan}/steps/1/${path}`, body, { token: robo.token }),
          records: [`service ${kind} refused`],
        }),
      );
    }
    cannot(
      "P7-A2",
      "approve the plan of one agent by the token of another",
      hostile(stage, {
        code: "agent-decides",
        given: ownPlan,
        neighbour: (at, plan) => approve(at, plan, at.ada),
        offence: (at, plan) => approve(at, plan, at.kilo.token),
        records: ["service approve refused"],
      }),
    );
    cannot(
      "B2",
      "approve by a name, without a token",
      hostile(stage, {
        code: "actor-unknown",
        given: ownPlan,
        neighbour: (at, plan) => approve(at, plan, at.ada, { headers: { "x-actor": "bo" } }),
        offence: ({ post }, plan) =>
          post(
            `/v1/plans/${plan}/steps/1/approvals`,
            { reason: "agreed" },
            { headers: { "x-actor": "ada" }, token: null },
          ),
      }),
    );
    cannot(
      "P7-F1",
      "approve over HTTP in the name of somebody else",
      hostile(stage, {
        code: "key-unknown",
        given: ownPlan,
        neighbour: (at, plan) => approve(at, plan, at.ada),
        offence: ({ post, robo }, plan) =>
          post(`/v1/plans/${plan}/steps/1/approvals`, { by: "ada", reason: "agreed" }, { token: robo.token }),
      }),
    );
  });

  suite("asks for a tool that decides", () => {
    const tools = [
      ...["approve", "approve_step", "deny_step", "confirm", "freeze", "unfreeze", "register", "reconcile"],
      ...["create_token", "accept_identity", "annotate", "ingest", "exec", "APPLY_STEP", "__proto__", "constructor"],
    ];
    for (const name of tools) {
      cannot(
        "P7-S3",
        `call the tool ${JSON.stringify(name)}`,
        hostile(stage, {
          code: "-32602",
          given: ownPlan,
          neighbour: (at, plan) => tool(at.robo, "plan_status", { plan }),
          offence: (at, plan) => tool(at.robo, name, atStep(plan)),
        }),
      );
    }
    for (const method of ["sampling/createMessage", "elicitation/create", "prompts/get", "tasks/result", "toString"]) {
      cannot(
        "P7-S3",
        `call the method ${method}`,
        hostile(stage, {
          code: "-32601",
          neighbour: ({ robo }) => robo.ask("tools/list"),
          offence: ({ robo }) => robo.ask(method),
        }),
      );
    }
  });

  suite("makes itself somebody", () => {
    const token = { days: 1, environments: "all" };
    const acts: Readonly<Record<string, (name: string) => readonly [path: string, body: object, kind: string]>> = {
      freeze: () => ["/v1/freezes", { environment: "away", reason: "incident" }, "freeze"],
      "mint a token of an agent": (name) => ["/v1/tokens", { ...token, name: `a-${name}`, roles: ["agent"] }, "token"],
      "mint a token of an approver": (name) => [
        "/v1/tokens",
        { ...token, name: `p-${name}`, roles: ["approver"] },
        "token",
      ],
      "revoke a token": (name) => ["/v1/token-revocations", { name }, "token"],
      "rotate the token of another": (name) => [`/v1/tokens/${name}/rotations`, { days: 1 }, "token"],
      "sign the ledger": () => ["/v1/checkpoints", {}, "ledger.checkpoint"],
      unfreeze: () => ["/v1/unfreezes", { environment: "away", reason: "over" }, "unfreeze"],
    };
    let holders = 0;
    const holder = async ({ tokenFor }: Stage): Promise<string> => {
      holders += 1;
      await tokenFor(`holder-${holders}`, ["observer"]);
      return `holder-${holders}`;
    };
    for (const [what, act] of Object.entries(acts)) {
      const [, , kind] = act("");
      cannot(
        "P7-A1",
        `${what} over HTTP as an agent`,
        hostile(stage, {
          code: "role-missing",
          given: holder,
          neighbour: ({ post }, name) => post(act(name)[0], act(name)[1]),
          offence: ({ post, robo }, name) => post(act(name)[0], act(name)[1], { token: robo.token }),
          records: [`service ${kind} refused`],
        }),
      );
    }
  });
});
