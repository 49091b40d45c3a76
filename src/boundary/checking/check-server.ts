// The contract with agents, checked at a server: the doors that were named, each by its own way of speaking.

import type { SendPort } from "../../service/remote/send.ts";
import type { CheckedDoor, CheckTerms, ClauseChecked } from "../contract/agent-clauses.ts";
import { checkContract } from "./check-contract.ts";
import type { CheckPorts } from "./check-ground.ts";
import { httpDoor } from "./http-door.ts";
import { mcpDoor } from "./mcp-door.ts";

export type ContractAsked = Pick<CheckPorts, "published" | "signal" | "waiting"> & {
  readonly doors: readonly CheckedDoor[];
  readonly terms: CheckTerms;
};

/** `unproven` sends the same without a credential. */
type ServerPorts = Pick<CheckPorts, "newKey" | "nowMs" | "pause"> & {
  readonly port: SendPort;
  readonly unproven: SendPort;
  readonly version: string;
};

export const checkServer = (
  { port, unproven, version, ...ports }: ServerPorts,
  { doors, terms, ...asked }: ContractAsked,
): Promise<readonly ClauseChecked[]> => {
  const opened = {
    http: () => httpDoor(port, unproven, ports.newKey),
    mcp: () => mcpDoor(port, unproven, version),
  };
  return checkContract(
    doors.map((door) => opened[door]()),
    terms,
    { ...ports, ...asked },
  );
};
