// A service whose every operation is a span, and whose refusals and applies are counted. It answers what the service
// answers.
//
// Not here: requests as HTTP has them (request-hooks.ts), calls to providers (observed-adapter.ts).

import type { Span } from "@opentelemetry/api";
import type { Applying } from "../../service/act/perform-step.ts";
import type { OkAnswer, ServiceAnswer } from "../../service/answer.ts";
import type { Caller } from "../../service/hold/callers.ts";
import type { Service } from "../../service/service.ts";
import { followApply } from "./observed-apply.ts";
import type { Telemetry } from "./telemetry.ts";

type AnyOperation = (caller: Caller, request: object, ...more: unknown[]) => Promise<ServiceAnswer<object>>;

export const observedService = (service: Service, telemetry: Telemetry): Service => {
  const observed = Object.entries(service).map(([name, operation]) =>
    name === "close" ? [name, operation] : [name, observedOperation(name, operation as AnyOperation, telemetry)],
  );
  return Object.fromEntries(observed) as Service;
};

const observedOperation =
  (name: string, operation: AnyOperation, telemetry: Telemetry): AnyOperation =>
  (caller, request, ...more) =>
    telemetry.spans.within(`dedalus.${name}`, "internal", {}, async (span) => {
      const answer = await operation(caller, request, ...more);
      tellAnswer(answer, request, span, telemetry);
      if (name === "apply" && answer.kind === "ok" && !answer.replayed)
        void followApply(answer as OkAnswer<Applying>, telemetry);
      return answer;
    });

export const environmentAsked = (request: object): string | undefined =>
  "environment" in request && typeof request.environment === "string" ? request.environment : undefined;

const tellAnswer = (
  answer: ServiceAnswer<object>,
  request: object,
  span: Span,
  { metrics, spans }: Telemetry,
): void => {
  const facts = spans.current()?.facts;
  const environment = answer.kind === "ok" ? answer.record?.environment : undefined;
  const asked = environmentAsked(request);
  // One that is refused may be of no configuration, and anything: a record's is known.
  if (answer.kind === "ok") {
    const where = environment ?? asked;
    if (where !== undefined) {
      span.setAttribute("dedalus.environment", where);
      if (facts !== undefined) facts.environment = where;
    }
    if (answer.record !== undefined) {
      const { correlationId, seq } = answer.record;
      if (correlationId !== undefined) spans.remember(correlationId);
      span.setAttribute("dedalus.seq", seq);
      if (facts !== undefined) facts.seq = seq;
    }
    return;
  }
  const codes = [...new Set(answer.refusals.map(({ code }) => code))];
  for (const code of codes) metrics.count("dedalus_refusals_total", { code });
  span.setAttributes({ "dedalus.outcome": answer.outcome, "dedalus.refusals": codes });
  if (facts !== undefined) facts.codes = codes;
};
