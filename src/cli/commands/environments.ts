// dedalus environments: the configured environments that you have a role in, and how each is changed.

import { environmentsJson } from "../../service/json/read-json.ts";
import type { EnvironmentListed } from "../../service/read/environments.ts";
import { askService } from "../asking/at-service.ts";
import type { CommandRun } from "../command.ts";
import { type Cell, type Column, table } from "../views/table.ts";

export const run: CommandRun = (given, io) =>
  askService(
    given,
    io,
    ({ environments }) => environments,
    {},
    ({ value }) => ({
      exit: "done",
      json: environmentsJson(value),
      text: (style) =>
        value.environments.length === 0 ? ["no environment"] : table(COLUMNS, value.environments.map(cellsOf), style),
    }),
  );

const COLUMNS: readonly Column[] = [
  { heading: "ENV" },
  { drop: 3, heading: "ADAPTER" },
  { heading: "APPROVAL" },
  { drop: 1, heading: "LIVE" },
  { drop: 2, heading: "POLICY" },
  { heading: "FROZEN" },
];

const yes = (is: boolean): string => (is ? "yes" : "no");

const cellsOf = ({
  adapter,
  approval,
  environment,
  isFrozen,
  isTightened,
  live,
}: EnvironmentListed): readonly Cell[] => [environment, adapter, approval, yes(live), yes(isTightened), yes(isFrozen)];
