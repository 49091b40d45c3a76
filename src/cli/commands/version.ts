// Which Dedalus, on which Node.

import { CONTRACT_SHA256 } from "../../spine/rules/contract.ts";
import { readOwnPackage } from "../files/own-files.ts";
import type { Outcome } from "../outcome.ts";

export const showVersion = (): Outcome => {
  const found = { contract: CONTRACT_SHA256, dedalus: readOwnPackage().version, node: process.versions.node };
  return {
    exit: "done",
    json: found,
    text: () => [`dedalus ${found.dedalus} (Node ${found.node}, contract ${found.contract.slice(0, 12)})`],
  };
};
