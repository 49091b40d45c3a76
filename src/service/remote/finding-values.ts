// What an examination found, as the service had it before it was printed (service/json/finding-json.ts).

import { present } from "../../spine/values/present.ts";
import type { InstallationExamined } from "../examine/examine.ts";
import type { InstallationFinding, OwnFinding } from "../examine/finding.ts";
import type { findingJson } from "../json/finding-json.ts";
import { refusalFrom } from "./refusal-values.ts";

export type ExaminedJson = { readonly checks: readonly ReturnType<typeof findingJson>[]; readonly healthy: boolean };

const findingFrom = (told: ExaminedJson["checks"][number], server: string): InstallationFinding => {
  const { check, code, commands, facts } = told;
  const checked = { ...present({ commands }), facts, refusals: told.refusals.map((one) => refusalFrom(one, server)) };
  if (told.adapter !== undefined) return { ...checked, adapter: told.adapter, check, code, kind: "provider" };
  // The schema takes any code; one of a newer service is shown by its code.
  const own = { check, code } as Pick<OwnFinding, "check" | "code">;
  return { ...checked, ...own, kind: "own", ...present({ reAnchored: told.reAnchored }) };
};

export const examinedFrom = ({ checks }: ExaminedJson, server: string): InstallationExamined => ({
  findings: checks.map((one) => findingFrom(one, server)),
});
