// Why a provider was not observed at all, and the command that says what is wrong between it and us.

import { visible } from "../../spine/values/invisible.ts";
import type { TextStyle } from "./text-style.ts";

/** Without a name it is of no environment that could be examined. */
export const unansweredLines = (environment: string, detail: string, style: TextStyle): readonly string[] => [
  `could not observe ${environment === "" ? "the provider" : environment}: ${visible(detail)}`,
  ...(environment === ""
    ? []
    : [
        style.dim("  next: See what is wrong with its address, certificate or token."),
        `          ${style.dim(style.command({ ask: "examine", with: { environment } }))}`,
      ]),
];
