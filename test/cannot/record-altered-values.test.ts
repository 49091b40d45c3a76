// N7: what a record says of a value that came with it is what the value says itself. Each thing that is said is altered
// alone.

import { startRequest } from "../../src/kernel/command/program.ts";
import type { RequestOf } from "../../src/kernel/command/request.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { registrationOf } from "../../src/kernel/state/registered-entry.ts";
import type { Instant, Refusal } from "../../src/spine/model.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { observe } from "../../src/spine/values/observation.ts";
import { cannot } from "../cannot.ts";
import { configOf, refusalsOf, story } from "../kernel/story.ts";
import {
  coded,
  desiredFor,
  OBSERVED_AT,
  observationOf,
  request,
  state as vmState,
  wantRunning,
} from "../spine/world.ts";

const SEEN = observationOf([vmState()], {
  complete: false,
  gaps: [{ code: "stated", said: "node pve2 did not answer" }],
});

/** One observation of home, told truly but for what the test alters. */
const observed = (
  altered: Partial<RequestOf<"observe">>,
  environment = "home",
  observation = SEEN,
): readonly Refusal[] => {
  const { digest } = observe(observation);
  const { complete, gaps, vms } = observation;
  return refusalsOf(
    story().ask(
      {
        complete,
        gaps: gaps.length,
        kind: "observe",
        observation: digest,
        observedAt: OBSERVED_AT,
        providerTime: OBSERVED_AT,
        vms: vms.length,
        ...altered,
      },
      { environment, given: { observation } },
    ),
  );
};
const asSeen = (): readonly Refusal[] => observed({});
const away = observationOf([vmState()], { environment: "away" });

const ALTERED: readonly (readonly [what: string, altered: Partial<RequestOf<"observe">>])[] = [
  ["name an observation by the digest of another", { observation: sha256("another observation") }],
  ["call an observation complete that is not", { complete: true }],
  ["give an observation another time", { observedAt: "2026-11-15T10:00:00.001Z" as Instant }],
  ["count VMs that an observation does not have", { vms: 2 }],
  ["leave the gaps of an observation out of its count", { gaps: 0 }],
];
for (const [what, altered] of ALTERED) {
  cannot("N7", what, { neighbour: asSeen, offence: () => coded("value-altered", observed(altered)) });
}
cannot("N7", "record an observation of one environment as another's", {
  neighbour: () => observed({}, "away", away),
  offence: () => coded("value-altered", observed({}, "home", away)),
});
cannot("N7", "record an observation that did not come along", {
  neighbour: asSeen,
  offence: () => {
    const { digest } = observe(SEEN);
    const seen = { complete: false, gaps: 1, observation: digest, providerTime: OBSERVED_AT, vms: 1 } as const;
    const asked = { ...seen, kind: "observe" } as const;
    return coded("value-altered", refusalsOf(story().ask({ ...asked, observedAt: OBSERVED_AT })));
  },
});

const DESIRED = desiredFor([wantRunning()]);
const registered = (altered: Partial<RequestOf<"register">>, desired = DESIRED): readonly Refusal[] =>
  refusalsOf(story().ask({ ...registrationOf(desired), ...altered }, { given: { desired } }));
const asWritten = (): readonly Refusal[] => registered({});

cannot("N7", "register a desired file under the digest of another", {
  neighbour: asWritten,
  offence: () => coded("value-altered", registered({ desired: sha256("another file") })),
});
cannot("N7", "count VMs that a desired file does not have", {
  neighbour: asWritten,
  offence: () => coded("value-altered", registered({ vms: 2 })),
});
cannot("N7", "register a requested action as if an operator desired it", {
  neighbour: asWritten,
  offence: () => coded("value-altered", registered({}, desiredFor([request({ kind: "vm.stop" })]))),
});
cannot("N7", "register a desired file that did not come along", {
  neighbour: asWritten,
  offence: () => coded("value-altered", refusalsOf(story().ask(registrationOf(DESIRED)))),
});

cannot("N7", "start on a configuration that its hash does not name", {
  neighbour: () => started("single-operator"),
  offence: () => coded("value-altered", started("four-eyes")),
});
const started = (mode: "four-eyes" | "single-operator"): readonly Refusal[] =>
  refusalsOf(story().ask(startRequest(configOf("single-operator"), "1"), { by: KERNEL_ACTOR, config: configOf(mode) }));
