// dedalus whoami: who the caller is proven to be, by what, and with which roles.

import { asking, callerGiven } from "../asking/at-service.ts";
import type { CommandRun } from "../command.ts";

const PROVEN_BY = { operator: "the operator of dedalus.yaml", token: "DEDALUS_TOKEN" } as const;

export const run: CommandRun = (given, io) =>
  asking(
    given,
    io,
    ({ whoami }) => whoami,
    {},
    ({ value }) => {
      const { id, kind, roles } = value.actor;
      const by = callerGiven().credential.kind;
      return {
        exit: "done",
        json: { ...value, provenBy: by },
        text: () => [`${id} (${kind}), by ${PROVEN_BY[by]}`, `roles: ${roles.join(", ")}`],
      };
    },
  );
