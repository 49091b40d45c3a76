// An exception that nobody expected, as an outcome: the message alone. A stack trace tells an operator nothing, and may
// tell a stranger too much.

import { bugJson } from "../service/json/bug-json.ts";
import type { Outcome } from "./outcome.ts";

export const bug = (error: unknown): Outcome => {
  const message = error instanceof Error ? error.message : String(error);
  return {
    exit: "internal",
    json: bugJson(message),
    text: (style) => [
      `internal error: ${message}`,
      `  This is a bug in Dedalus. What was begun is in the ledger: ${style.command({ ask: "status", with: {} })}`,
      "  Please report it with the command that you ran.",
    ],
  };
};
