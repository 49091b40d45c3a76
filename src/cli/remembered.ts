// What is remembered of the VMs of an environment, brought along with what is asked: an observation, a plan, an accepted
// identity. When another process has recorded an observation in between, it is read and asked once more.

import { get } from "../kernel/state/persistent-map.ts";
import type { State } from "../kernel/state/state.ts";
import type { Engine } from "../ledger/engine.ts";
import { type Identities, NO_IDENTITIES } from "../spine/values/identities.ts";
import { blobText } from "./recorded.ts";
import type { Asked, Session } from "./session.ts";

export const identitiesOf = async (engine: Engine, state: State, environment: string): Promise<Identities> => {
  const digest = get(state.identities, environment);
  if (digest === undefined) return NO_IDENTITIES;
  const { identities }: { readonly identities: Identities } = JSON.parse(await blobText(engine, digest));
  return identities;
};

const TIMES_MAX = 3;

/** Asked with what is remembered; again, when that is why it was refused. */
export const askedRemembering = async (
  { ledger, writer }: Pick<Session, "ledger" | "writer">,
  environment: string,
  ask: (identities: Identities) => Promise<Asked>,
): Promise<Asked> => {
  for (let times = 1; ; times += 1) {
    const before = get(writer.state().identities, environment);
    const asked = await ask(await identitiesOf(ledger.engine, writer.state(), environment));
    const isMoved = get(writer.state().identities, environment) !== before;
    if (asked.kind === "granted" || !isMoved || times === TIMES_MAX) return asked;
  }
};
