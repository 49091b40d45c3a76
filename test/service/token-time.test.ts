// A token ends for readers and writers at the same moment: by the later of this machine's clock and the ledger's head.
// Keeps B2.

import { join } from "node:path";
import { DAY_MS } from "../../src/kernel/state/spans.ts";
import type { ServiceAnswer } from "../../src/service/answer.ts";
import type { Service } from "../../src/service/service.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { cannot } from "../cannot.ts";
import { bearer, bearerAtFiles, type Ending, OPERATOR, ok, type Serving, serving } from "./serving.ts";

const HOME = { environment: "home" };

/** What is asked with the token, each by another way to the ledger. */
const ASKS: Readonly<
  Record<string, (at: Serving, service: Service, token: string) => Promise<ServiceAnswer<unknown>>>
> = {
  "back up": ({ folder, ledger }, _, token) =>
    ledger.backup(bearerAtFiles(token), { to: { name: "backup", path: join(folder, "backup") } }),
  "list what is out of sync": (_, service, token) => service.drift(bearer(token), HOME),
  freeze: (_, service, token) => service.freeze(bearer(token), { reason: "an incident" }),
  "read records": (_, service, token) => service.records(bearer(token), { from: 0 }),
  "read the status": (_, service, token) => service.status(bearer(token), {}),
  "verify the ledger": (_, service, token) => service.verify(bearer(token), {}),
};

/** Where the head and the clock stand when it is asked, counted from when the token was made; it ends after a day. */
type Times = { readonly clock: number; readonly head: number };
const ENDED: Readonly<Record<string, { readonly after: Times; readonly before: Times }>> = {
  "by its clock alone": { after: { clock: 2, head: 0 }, before: { clock: 0.5, head: 0 } },
  "by its head alone": { after: { clock: 0, head: 2 }, before: { clock: 0, head: 0.5 } },
  "by both": { after: { clock: 2, head: 3 }, before: { clock: -0.5, head: 0.5 } },
};

const objections = async (ask: (typeof ASKS)[string], { clock, head }: Times, isHeld: boolean) => {
  const ends: (() => Promise<void>)[] = [];
  const ending: Ending = { after: (end) => void ends.push(end) };
  try {
    const at = await serving(ending);
    const first = at.open();
    const made = ok(await first.createToken(OPERATOR, { days: 1, kind: "person", name: "bob", roles: ["operator"] }));
    at.clock.aheadMs = head * DAY_MS;
    // Something that is recorded then.
    ok(await first.createToken(OPERATOR, { days: 1, kind: "person", name: "eve", roles: ["observer"] }));
    at.clock.aheadMs = clock * DAY_MS;
    const answer = await ask(at, isHeld ? first : at.open(), made.value.token ?? "");
    return answer.kind === "ok"
      ? []
      : answer.refusals.flatMap((one): readonly Refusal[] => ("rule" in one ? [one] : []));
  } finally {
    for (const end of ends) await end();
  }
};

for (const [what, ask] of Object.entries(ASKS))
  for (const [how, { after, before }] of Object.entries(ENDED))
    for (const isHeld of [true, false])
      cannot("B2", `${what} with a token that has ended ${how}, ${isHeld ? "of a writer" : "of a reader"}`, {
        neighbour: () => objections(ask, before, isHeld),
        offence: () => objections(ask, after, isHeld),
      });
