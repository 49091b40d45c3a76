// The table of routes, from the one that is served.

import { DOOR_ROUTES } from "../../src/boundary/contract/door-routes.ts";
import { pathsOf } from "../../src/boundary/contract/http-route.ts";
import { ROUTED, ROUTES } from "../../src/boundary/contract/routes.ts";
import { OPERATION_WORDS } from "../openapi/operation-words.ts";
import { cell } from "./cell.ts";

export const httpRouteLines = (): readonly string[] => [
  "| route | does | answer |",
  "| --- | --- | --- |",
  ...ROUTED.map((operation) => {
    const { answer, method } = ROUTES[operation];
    const [path = ""] = pathsOf(ROUTES[operation]);
    return `| \`${method} ${path}\` | ${cell(OPERATION_WORDS[operation])} | \`${answer}\` |`;
  }),
  ...Object.values(DOOR_ROUTES).map(({ method, path, summary }) => `| \`${method} ${path}\` | ${cell(summary)} | |`),
];
