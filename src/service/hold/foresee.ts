// What the kernel would answer to a request now, by the very function that decides it: for whoever is about to ask, and
// should not be offered what is refused. Nothing is recorded, and nothing is promised: the request is judged when it
// comes.

import { bodyOf } from "../../kernel/command/record-body.ts";
import type { Request } from "../../kernel/command/request.ts";
import { type CommandOptions, commandOf } from "../../kernel/command-desk.ts";
import { decideBy } from "../../kernel/decide/decide.ts";
import { VERSIONS } from "../../kernel/versions.ts";
import type { Refusal } from "../../spine/model.ts";
import type { ServiceSession } from "./session.ts";

/** Empty where it would be granted. */
export const foresee = (
  { kernel, writer }: Pick<ServiceSession, "kernel" | "writer">,
  request: Request,
  asking: CommandOptions,
): readonly Refusal[] => {
  const { draft } = decideBy(VERSIONS, writer.state(), commandOf(kernel, request, asking), writer.chain().floor);
  const result = bodyOf(draft)?.result;
  return result?.kind === "refused" ? result.refusals : [];
};
