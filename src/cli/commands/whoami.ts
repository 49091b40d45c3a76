// dedalus whoami: who the caller is proven to be, by what, and with which roles.
//
// The operator of the configuration is known without a ledger; a token is proven on one.

import type { Reader } from "../../kernel/decide/actors.ts";
import type { OkAnswer } from "../../service/answer.ts";
import { operatorOf } from "../../service/hold/callers.ts";
import { askService, readCaller } from "../asking/at-service.ts";
import type { CommandRun } from "../command.ts";
import { badInput } from "../failed-outcome.ts";
import { readConfig } from "../files/find-config.ts";
import type { Outcome } from "../outcome.ts";
import { grantsText } from "../views/grants-text.ts";

const PROVEN_BY = {
  instance: "a serving process",
  operator: "the operator of dedalus.yaml",
  token: "DEDALUS_TOKEN",
} as const;

export const run: CommandRun = async (given, io) => {
  const by = readCaller().credential.kind;
  if (by === "token") return askService(given, io, ({ whoami }) => whoami, {}, shown);
  const configured = readConfig(given, io);
  return configured.kind === "bad"
    ? badInput(configured.problems)
    : shown({ value: operatorOf(configured.value.config.operator) });
};

const shown = ({ value }: Pick<OkAnswer<Reader>, "value">): Outcome => {
  const { id, kind } = value.actor;
  const by = readCaller().credential.kind;
  return {
    exit: "done",
    json: { ...value, provenBy: by },
    text: () => [`${id} (${kind}), by ${PROVEN_BY[by]}`, `roles: ${grantsText(value.grants)}`],
  };
};
