// dedalus desire: registers what is wanted in an environment, as a recorded act, and shows what differs from before.

import { parseDesired } from "../../formats/desired-yaml.ts";
import { registrationOf } from "../../kernel/state/registered-entry.ts";
import type { Wish, Wishes } from "../../spine/model.ts";
import { wishesOf } from "../../spine/plan/wishes.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { canonical, type Json } from "../../spine/values/canonical.ts";
import type { Run } from "../command.ts";
import { badInput } from "../failure.ts";
import { readText } from "../files.ts";
import { registeredIn } from "../recorded.ts";
import { environmentAt, inSession } from "../session.ts";

export const run: Run = async (given, io) => {
  const file = given.positionals[0] ?? "";
  const text = readText(io.folder, file);
  if (text.kind === "bad") return badInput(text.problems);
  const parsed = parseDesired(text.value, file);
  if (parsed.kind === "bad") return badInput(parsed.problems);
  const wishes = wishesOf(parsed.value.environment, parsed.value.vms);
  if ("kind" in wishes) return badInput([wishes]);
  return inSession(given, io, async ({ ask, desk, ledger, writer }) => {
    const at = environmentAt(given, desk);
    if ("code" in at) return badInput([at]);
    if (wishes.environment !== at.name) {
      return badInput([refuse("plan-foreign", { cause: "file", facts: { of: wishes.environment } })]);
    }
    const before = await registeredIn(ledger.engine, writer.state(), at.name);
    const asked = await ask(registrationOf(wishes), { environment: at.name, given: { wishes } });
    if (asked.kind === "refused") return asked.outcome;
    const changes = differences(before, wishes);
    return {
      exit: "done",
      json: {
        changes,
        digest: wishes.digest,
        environment: at.name,
        id: asked.record.auditId,
        vms: wishes.wishes.length,
      },
      text: () => [
        ...changes.map(({ change, name, vmid }) => ` ${SIGNS[change]} ${vmid}  ${name} ${change}`),
        `registered ${wishes.wishes.length} VMs for ${at.name}: ${changes.length === 0 ? "nothing differs" : `${changes.length} differ`}`,
        `record ${asked.record.seq}: desire by ${asked.record.actor.id}`,
      ],
    };
  });
};

const SIGNS = { added: "+", changed: "~", removed: "-" } as const;
type Change = { readonly change: keyof typeof SIGNS; readonly name: string; readonly vmid: number };

const differences = (before: Wishes | undefined, after: Wishes): readonly Change[] => {
  const old = new Map((before?.wishes ?? []).map((wish) => [wish.vmid, wish]));
  const fresh = new Map(after.wishes.map((wish) => [wish.vmid, wish]));
  const text = (wish: Wish): string => canonical({ ...wish } as { readonly [key: string]: Json });
  return [
    ...after.wishes.flatMap((wish): readonly Change[] => {
      const was = old.get(wish.vmid);
      if (was === undefined) return [{ change: "added", name: wish.name, vmid: wish.vmid }];
      return text(was) === text(wish) ? [] : [{ change: "changed", name: wish.name, vmid: wish.vmid }];
    }),
    ...[...old.values()].flatMap((wish): readonly Change[] =>
      fresh.has(wish.vmid) ? [] : [{ change: "removed", name: wish.name, vmid: wish.vmid }],
    ),
  ].sort((a, b) => a.vmid - b.vmid);
};
