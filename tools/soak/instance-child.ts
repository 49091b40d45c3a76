// One instance in a process of its own, as a service holds it: `instance-child.ts`, started in its folder.
//
// A request is a line of JSON on its input, its answer one on its output, and the end of an apply a second one. Written
// with writeSync, so that what was acknowledged is out of the process before it can be killed.

import { readFileSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { parseConfig } from "../../src/formats/dedalus/dedalus-yaml.ts";
import type { Ulid } from "../../src/ledger/record/record.ts";
import type { ServiceAnswer } from "../../src/service/answer.ts";
import type { Caller } from "../../src/service/hold/callers.ts";
import { openService } from "../../src/service/local-service.ts";
import type { Configuration } from "../../src/service/ports.ts";
import type { Service } from "../../src/service/service.ts";
import { known, servicePorts } from "../../src/wire.ts";

/** What is asked of an instance. */
export type InstanceRequest =
  | { readonly kind: "plan"; readonly vmid: number }
  | { readonly kind: "challenge"; readonly plan: string }
  | { readonly kind: "apply"; readonly explanation: string; readonly key?: Ulid; readonly plan: string }
  | { readonly kind: "annotate"; readonly text: string }
  | { readonly kind: "status" };

/** What it says: an answer, or how an apply ended. `id` is the request's. */
export type InstanceSaid = { readonly id: number } & (
  | { readonly kind: "refused"; readonly codes: readonly string[] }
  | {
      readonly kind: "ok";
      readonly head: { readonly hash: string; readonly size: number };
      readonly record?: { readonly auditId: string; readonly seq: number };
      readonly replayed: boolean;
      readonly value: { readonly [key: string]: unknown };
    }
  | { readonly kind: "ended"; readonly cause: string; readonly intent: string; readonly recorded: boolean }
);

const say = (said: InstanceSaid): void => {
  writeSync(1, `${JSON.stringify(said)}\n`);
};

const readConfiguration = (): Configuration => {
  const parsed = parseConfig(readFileSync("dedalus.yaml", "utf8"), "dedalus.yaml", known);
  if (parsed.kind === "bad") throw new Error(JSON.stringify(parsed.problems));
  return { config: parsed.value, file: "dedalus.yaml", home: process.cwd(), policies: new Map() };
};

const tell = <T extends object>(id: number, answer: ServiceAnswer<T>, value: (of: T) => object): void => {
  if (answer.kind === "refused") {
    say({ codes: answer.refusals.map(({ code }) => code), id, kind: "refused" });
    return;
  }
  const { head, record, replayed } = answer;
  const { auditId, seq } = record ?? {};
  const named = auditId === undefined || seq === undefined ? {} : { record: { auditId, seq } };
  say({ head, id, kind: "ok", ...named, replayed, value: { ...value(answer.value) } });
};

const ENVIRONMENT = "home";
const OPERATOR = { credential: { kind: "operator" }, door: "local" } as const satisfies Caller;

const serve = async (service: Service, id: number, asked: InstanceRequest): Promise<void> => {
  switch (asked.kind) {
    case "plan": {
      const vmid = `${asked.vmid}`;
      const request = { action: { kind: "vm.start" }, vmid } as const;
      const wanted = { environment: ENVIRONMENT, request, scope: [vmid] } as const;
      return tell(id, await service.makePlan(OPERATOR, wanted), ({ id: plan }) => ({ plan }));
    }
    case "challenge":
      return tell(
        id,
        await service.challenge(OPERATOR, { plan: asked.plan, step: { number: 1 } }),
        ({ explanation }) => ({
          explanation: explanation.hash,
        }),
      );
    case "apply": {
      const { explanation, key, plan } = asked;
      const caller = key === undefined ? OPERATOR : { ...OPERATOR, key };
      const answer = await service.apply(caller, { confirmation: { explanation }, plan, step: { number: 1 } });
      tell(id, answer, ({ intent }) => ({ intent }));
      const ended = answer.kind === "ok" ? await answer.value.underway?.ended : undefined;
      if (ended !== undefined)
        say({ cause: ended.file.cause, id, intent: ended.intent, kind: "ended", recorded: ended.recorded });
      return;
    }
    case "annotate":
      return tell(id, await service.annotate(OPERATOR, { text: asked.text }), () => ({}));
    case "status":
      return tell(id, await service.status(OPERATOR, {}), ({ at: _, ...shown }) => shown);
  }
};

const main = async (): Promise<void> => {
  const configuration = readConfiguration();
  const service = openService(
    configuration,
    {
      ...servicePorts(),
      configured: () => ({ kind: "ok", value: configuration }),
      hears: { note: () => undefined, recovered: () => undefined },
      version: "0.0.0",
    },
    "long",
  );
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, ...asked } = JSON.parse(line) as InstanceRequest & { readonly id: number };
    serve(service, id, asked).catch((error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      process.exit(1);
    });
  }
  await service.close();
};

await main();
