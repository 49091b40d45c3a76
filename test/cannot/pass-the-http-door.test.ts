// Over HTTP the same is refused as everywhere, under the same rules, and its neighbour is not.

import { type AtDoor, atDoor, newKey, type Replied, type Said } from "../boundary/at-door.ts";
import { cannot, type Objection } from "../cannot.ts";

/** A door for one question, closed again. */
const at = async (ask: (door: AtDoor) => Promise<Replied>): Promise<readonly Objection[]> => {
  const ends: (() => Promise<void>)[] = [];
  try {
    const { problem, status } = await ask(await atDoor({ after: (work) => void ends.unshift(work) }));
    return status < 400 ? [] : problem.refusals;
  } finally {
    for (const end of ends) await end();
  }
};

type Planned = { readonly id: string };
type Explained = { readonly challenge: { readonly hash: string } };

const planned = async ({ post }: AtDoor, said: Said = {}): Promise<string> => {
  const { body } = await post("/v1/plans", { environment: "home", scope: "all" }, said);
  return `/v1/plans/${(body as Planned).id}`;
};
const confirmed = async ({ post }: AtDoor, plan: string) => {
  const { body } = await post(`${plan}/steps/1/challenges`);
  return { confirmation: { explanation: (body as Explained).challenge.hash } };
};
const apply = async (door: AtDoor, plan: string, key?: string): Promise<Replied> =>
  door.post(`${plan}/steps/1/applies`, await confirmed(door, plan), {
    headers: { prefer: "wait=30" },
    ...(key === undefined ? {} : { key }),
  });

cannot("P7-A1", "plan over HTTP by somebody who may only observe", {
  neighbour: () => at(({ post }) => post("/v1/plans", { scope: "all" })),
  offence: () =>
    at(async ({ post, tokenFor }) =>
      post("/v1/plans", { scope: "all" }, { token: await tokenFor("otto", ["observer"]) }),
    ),
});

cannot("P7-A2", "apply over HTTP what nobody confirmed", {
  neighbour: () => at(async (door) => apply(door, await planned(door))),
  offence: () => at(async (door) => door.post(`${await planned(door)}/steps/1/applies`)),
});

cannot("P7-A2", "approve over HTTP as an agent", {
  neighbour: () =>
    at(async (door) => {
      const agent = { token: await door.tokenFor("ci", ["agent"]) };
      const approver = { token: await door.tokenFor("ada", ["approver"]) };
      return door.post(`${await planned(door, agent)}/steps/1/approvals`, { reason: "agreed" }, approver);
    }),
  offence: () =>
    at(async (door) => {
      const agent = { token: await door.tokenFor("ci", ["agent"]) };
      return door.post(`${await planned(door, agent)}/steps/1/approvals`, { reason: "agreed" }, agent);
    }),
});

cannot("P7-F1", "apply over HTTP while everything is frozen", {
  neighbour: () => at(async (door) => apply(door, await planned(door))),
  offence: () =>
    at(async (door) => {
      const plan = await planned(door);
      const confirmation = await confirmed(door, plan);
      await door.post("/v1/freezes", { reason: "incident" });
      return door.post(`${plan}/steps/1/applies`, confirmation);
    }),
});

cannot("P7-F1", "take a field over HTTP that nobody knows", {
  neighbour: () => at(({ post }) => post("/v1/freezes", { reason: "incident" })),
  offence: () => at(({ post }) => post("/v1/freezes", { force: true, reason: "incident" })),
});

cannot("P7-F1", "hide a field over HTTP in an action that takes others", {
  neighbour: () => at(({ post }) => post("/v1/plans", { request: { action: SNAPSHOT, vmid: 101 }, scope: [101] })),
  offence: () =>
    at(({ post }) => {
      const action = { ...SNAPSHOT, next: { kind: "vm.stop" } };
      return post("/v1/plans", { request: { action, vmid: 101 }, scope: [101] });
    }),
});
const SNAPSHOT = { kind: "vm.snapshot.create", snapshot: "before" } as const;

cannot("B1", "apply over HTTP what was not planned", {
  neighbour: () => at(async (door) => apply(door, await planned(door))),
  offence: () => at(({ post }) => post(`/v1/plans/${newKey()}/steps/1/applies`)),
});

cannot("B2", "ask over HTTP by a name instead of a token", {
  neighbour: () => at(({ get }) => get("/v1/plans")),
  offence: () => at(({ get }) => get("/v1/plans", { headers: { "x-actor": "alice" }, token: null })),
});

cannot("B2", "hear over HTTP how far the ledger is without being anybody", {
  neighbour: () => at(({ get }) => get("/v1/whoami?at-least=0")),
  offence: () => at(({ get }) => get("/v1/whoami?at-least=100000", { token: "dedalus_0000000000_nobody" })),
});

cannot("B6", "use a key over HTTP for another request", {
  neighbour: () =>
    at(async ({ post }) => {
      const key = newKey();
      await post("/v1/annotations", { text: "once" }, { key });
      return post("/v1/annotations", { text: "once" }, { key });
    }),
  offence: () =>
    at(async ({ post }) => {
      const key = newKey();
      await post("/v1/annotations", { text: "once" }, { key });
      return post("/v1/annotations", { text: "twice" }, { key });
    }),
});

cannot("B6", "perform a step over HTTP twice", {
  neighbour: () =>
    at(async (door) => {
      const [plan, key] = [await planned(door), newKey()];
      const body = await confirmed(door, plan);
      await door.post(`${plan}/steps/1/applies`, body, { headers: { prefer: "wait=30" }, key });
      return door.post(`${plan}/steps/1/applies`, body, { key });
    }),
  offence: () =>
    at(async (door) => {
      const plan = await planned(door);
      const body = await confirmed(door, plan);
      await door.post(`${plan}/steps/1/applies`, body, { headers: { prefer: "wait=30" } });
      return door.post(`${plan}/steps/1/applies`, body);
    }),
});

cannot("B7", "ask over HTTP for an action that is not in the catalogue", {
  neighbour: () =>
    at(({ post }) => post("/v1/plans", { request: { action: { kind: "vm.start" }, vmid: 101 }, scope: [101] })),
  offence: () =>
    at(async ({ post }) => {
      const reply = await post("/v1/plans", { request: { action: { kind: "vm.exec" }, vmid: 101 }, scope: [101] });
      return reply;
    }),
});
