// The clauses about who asks and what can be said at all: nothing for nobody, an agent's token, the published tools, no
// member that nobody knows.

import { objectIn } from "./asked-door.ts";
import { CANCEL_REASON, type CheckGround, planAsked } from "./check-ground.ts";
import { saidText } from "./plan-said.ts";
import { broken, same, untried, wasAnswered, wasRefused } from "./verdicts.ts";

const ELSEWHERE = untried("not-at-this-door");

export const checkCaller = async (ground: CheckGround): Promise<void> => {
  const { book, door } = ground;
  if (door.askUnproven === undefined) book.put("C1", ELSEWHERE);
  else book.put("C1", wasRefused("whoami", await door.askUnproven(), "actor-unknown"));
  if (door.knows.has("whoami")) {
    const who = await door.ask("whoami", {});
    const kind = who.kind === "answered" ? objectIn(who.body["actor"])["kind"] : undefined;
    book.put("C2", wasAnswered("whoami", who), same("actor.kind", "agent", kind));
  } else book.put("C2", ELSEWHERE);
  await checkTools(ground);
  await checkStrange(ground);
};

const checkTools = async ({ book, door, published }: CheckGround): Promise<void> => {
  if (door.tools === undefined) return book.put("C3", ELSEWHERE);
  const tools = await door.tools();
  if (typeof tools === "string") return book.put("C3", broken("unread", { asked: "tools/list", code: tools }));
  const names = (list: readonly unknown[]): readonly unknown[] => list.map((one) => objectIn(one)["name"]);
  book.put("C3", same("names", names(published), names(tools)), same("tools", published, tools));
};

/** An approval that is claimed in a request is no member of it; whoever dropped it would let others hope. */
const checkStrange = async ({ book, door, terms }: CheckGround): Promise<void> => {
  if (door.askStrange === undefined) return book.put("C4", ELSEWHERE);
  const reply = await door.askStrange(planAsked(terms), { approvedBy: "somebody" });
  book.put("C4", wasRefused("plan", reply, "key-unknown"));
  const plan = reply.kind === "answered" ? saidText(reply.body["id"]) : "";
  if (plan !== "") await door.ask("cancel", { plan, reason: CANCEL_REASON });
};
