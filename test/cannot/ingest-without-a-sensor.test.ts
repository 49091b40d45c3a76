// P7-A1: telemetry comes from sensors alone, and a sensor does nothing else.

import { ACT_KINDS } from "../../src/kernel/command/record-kinds.ts";
import type { Request } from "../../src/kernel/command/request.ts";
import type { Role } from "../../src/kernel/command/roles.ts";
import type { Actor } from "../../src/ledger/record/record.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { observe } from "../../src/spine/values/observation.ts";
import { cannot } from "../cannot.ts";
import { ALICE, DAN, ROBO, refusalsOf, type Story, story, tokenRequest } from "../kernel/story.ts";
import { coded, observationOf, state } from "../spine/world.ts";

const PROBE: Actor = { id: "probe", kind: "agent", roles: ["sensor"] };

const withToken = (
  roles: readonly Role[],
  kind: "agent" | "person" = "agent",
): readonly [Story, readonly Refusal[]] => {
  const told = story();
  const subject = { id: PROBE.id, kind, roles };
  return [told, refusalsOf(told.ask(tokenRequest(told, subject)))];
};

const OBSERVATION = observationOf([state()]);
const INGEST: Request = {
  complete: true,
  gaps: 0,
  kind: "ingest",
  observation: observe(OBSERVATION).digest,
  observedAt: OBSERVATION.observedAt as NonNullable<typeof OBSERVATION.observedAt>,
  vms: 1,
};
const asked = (by: Actor, request: Request = INGEST): readonly Refusal[] => {
  const [told] = withToken(["sensor"]);
  const observer: Actor = { id: "olga", kind: "person", roles: ["observer"] };
  const subject = { id: observer.id, kind: "person", roles: ["observer"] } as const;
  told.ask(tokenRequest(told, subject));
  const door = by === ALICE ? "local" : "service";
  return refusalsOf(told.ask(request, { by, door, given: { observation: OBSERVATION } }));
};
const OLGA: Actor = { id: "olga", kind: "person", roles: ["observer"] };

for (const [who, by] of [
  ["an agent", ROBO],
  ["an observer", OLGA],
  ["an operator with a token", DAN],
  ["the operator of the machine", ALICE],
] as const) {
  cannot("P7-A1", `ingest as ${who}`, {
    neighbour: () => asked(PROBE),
    offence: () => coded("role-missing", asked(by)),
  });
}

cannot("P7-A1", "do anything but ingest with a sensor's token", {
  neighbour: () => asked(PROBE),
  offence: () => {
    const others = ACT_KINDS.filter((kind) => kind !== "ingest");
    const answers = others.map((kind) => asked(PROBE, { kind } as Request));
    const granted = others.filter((_, at) => answers[at]?.length !== 1);
    if (granted.length > 0) throw new Error(`not refused as they should be: ${granted.join()}`);
    return answers.flat().filter(({ code }) => code === "role-missing");
  },
});
cannot("P7-A1", "note anything as a sensor", {
  neighbour: () => asked(OLGA, { kind: "annotate", text: "seen" }),
  offence: () => coded("role-missing", asked(PROBE, { kind: "annotate", text: "seen" })),
});
cannot("P7-A1", "have a token that is a sensor's and something else", {
  neighbour: () => withToken(["sensor"])[1],
  offence: () => coded("sensor-alone", withToken(["sensor", "agent"])[1]),
});
cannot("P7-A1", "have a person for a sensor", {
  neighbour: () => withToken(["sensor"])[1],
  offence: () => coded("sensor-alone", withToken(["sensor"], "person")[1]),
});
