// dedalus mcp: the tools of agents at a pipe, as a service elsewhere has them; or what to paste into the configuration
// of an agent.
//
// It needs a service: a process that can open the ledger's own files would be its operator, and no agent. The token is
// DEDALUS_TOKEN alone, never the session of a person. Nothing but the protocol goes to stdout. keeps B2, B5
// Not here: what is sent and answered (boundary/mcp/stdio-bridge.ts).

import { readToken } from "../../config.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { bridgeToService } from "../../wire.ts";
import { refusalOutcome } from "../asking/at-service.ts";
import type { CommandRun } from "../command.ts";
import { badInput } from "../failed-outcome.ts";
import { findPlace } from "../files/find-server.ts";
import { readOwnPackage } from "../files/own-files.ts";
import type { Outcome, Stream } from "../outcome.ts";

export const run: CommandRun = async (given, io) => {
  const place = findPlace(given, io);
  if (place.kind === "bad") return badInput(place.problems);
  if (place.kind === "local")
    return badInput([refuse("usage", { cause: "needs-option", facts: { argument: "--server URL", what: "mcp" } })]);
  const { origin } = place.server.address;
  if (given.flags.has("print-config")) return configOutcome(origin);
  const token = readToken();
  if (token.kind !== "token") return refusalOutcome(refuse("actor-unknown", { cause: "variable-absent" }));
  const piped = io.input?.();
  if (piped === undefined)
    return badInput([refuse("usage", { cause: "needs-option", facts: { argument: "--print-config", what: "mcp" } })]);
  const { version } = readOwnPackage();
  const bridge = await bridgeToService({ ...place.server, token: token.value, version });
  if ("code" in bridge) return refusalOutcome(bridge);
  const stream: Stream = async function* () {
    yield* bridge(piped);
    return "done";
  };
  return { exit: "done", isVerbatim: true, json: null, stream, text: () => [] };
};

/** No secret is in it: the token comes from where the agent is started. */
const configOutcome = (origin: string): Outcome => {
  const json = {
    mcpServers: {
      dedalus: {
        args: ["mcp", "--server", origin],
        command: "dedalus",
        env: { DEDALUS_TOKEN: `\${DEDALUS_TOKEN}` },
      },
    },
  };
  return { exit: "done", isVerbatim: true, json, text: () => JSON.stringify(json, undefined, 2).split("\n") };
};
