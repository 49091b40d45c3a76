// dedalus whoami: who the caller is proven to be, by what, with which roles, and at which service.
//
// The operator of the configuration is known without a ledger; a token is proven on one.

import type { OkAnswer } from "../../service/answer.ts";
import { type CallerShown, operatorOf } from "../../service/hold/callers.ts";
import { askService, readCaller } from "../asking/at-service.ts";
import type { CommandRun } from "../command.ts";
import { badInput } from "../failed-outcome.ts";
import { readConfig } from "../files/find-config.ts";
import { findPlace } from "../files/find-server.ts";
import type { Outcome } from "../outcome.ts";
import { expiryText } from "../views/age.ts";
import { grantsText } from "../views/grants-text.ts";

const PROVEN_BY = {
  instance: "a serving process",
  operator: "the operator of dedalus.yaml",
  session: "your sign-in",
  token: "DEDALUS_TOKEN",
} as const;

export const run: CommandRun = async (given, io) => {
  const place = findPlace(given, io);
  if (place.kind === "bad") return badInput(place.problems);
  if (place.kind === "remote") {
    const { origin } = place.server.address;
    const { readTokenAt } = await import("../asking/at-remote.ts");
    const held = readTokenAt(origin);
    const by = "code" in held ? "token" : held.by;
    return askService(given, io, ({ whoami }) => whoami, {}, shownAs(by, origin));
  }
  if (readCaller().credential.kind === "token")
    return askService(given, io, ({ whoami }) => whoami, {}, shownAs("token"));
  const configured = readConfig(given, io);
  return configured.kind === "bad"
    ? badInput(configured.problems)
    : shownAs("operator")({ value: operatorOf(configured.value.config.operator) });
};

const shownAs =
  (by: keyof typeof PROVEN_BY, server?: string) =>
  ({ value }: Pick<OkAnswer<CallerShown>, "value">): Outcome => {
    const { expiresAt, grants } = value;
    const { id, kind } = value.actor;
    return {
      exit: "done",
      json: { ...value, provenBy: by === "session" ? "token" : by, ...(server === undefined ? {} : { server }) },
      text: (style) => [
        `${id} (${kind}), by ${PROVEN_BY[by]}${server === undefined ? "" : ` at ${server}`}`,
        `roles: ${grantsText(grants)}`,
        ...(expiresAt === undefined ? [] : [expiryText(expiresAt, style)]),
      ],
    };
  };
