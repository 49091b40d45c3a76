// What is remembered of the VMs of an environment, brought along with what is asked: an observation, a plan, an
// accepted identity. When another process has recorded an observation in between, it is read and asked once more.

import type { Request } from "../../kernel/command/request.ts";
import type { CommandOptions } from "../../kernel/command-desk.ts";
import { get } from "../../kernel/state/persistent-map.ts";
import type { Identities } from "../../spine/values/identities.ts";
import type { CommandAnswer, ServiceSession } from "../hold/session.ts";
import { readIdentities } from "../read/recorded.ts";

/** A record that answers a key is the answer, whatever it says: another try would need another key. */
const TIMES_MAX = { answering: 1, underway: 3 } as const;

/**
 * The request whose record answers the caller, on an observation of the environment and with what is remembered of it.
 */
export const answerRemembering = (
  session: ServiceSession,
  environment: string,
  request: Request,
  given: Omit<NonNullable<CommandOptions["given"]>, "identities">,
): Promise<CommandAnswer> =>
  askRemembering(
    session,
    environment,
    (identities) => session.answer(request, { environment, given: { ...given, identities } }),
    session.caller.key === undefined ? "underway" : "answering",
  );

/** Asked with what is remembered; again, when that is why it was refused. */
export const askRemembering = async (
  { ledger, writer }: Pick<ServiceSession, "ledger" | "writer">,
  environment: string,
  ask: (identities: Identities) => Promise<CommandAnswer>,
  times: keyof typeof TIMES_MAX = "underway",
): Promise<CommandAnswer> => {
  for (let time = 1; ; time += 1) {
    const before = get((await writer.refresh()).identities, environment);
    const asked = await ask(await readIdentities(ledger.engine, writer.state(), environment));
    const isMoved = get(writer.state().identities, environment) !== before;
    if (asked.kind === "granted" || !isMoved || time === TIMES_MAX[times]) return asked;
  }
};
