// What is found of one environment's provider: whether it is reached and believed, and what each token may do there.
//
// It asks for the VMs that are registered, or those of the desired file while nothing is. It only reads.

import type { ExaminationFinding, ExaminedVm } from "../../adapters/examination.ts";
import { parseDesired } from "../../formats/desired-yaml.ts";
import type { DesiredEntry } from "../../spine/model.ts";
import { isProductionName } from "../../spine/plan/protection.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { environmentAt } from "../hold/environment-at.ts";
import { readText } from "../named-file.ts";
import type { Configuration, Ports } from "../ports.ts";
import type { Watch } from "../progress.ts";
import { found, type InstallationFinding, type ProviderFinding } from "./finding.ts";

const ASK_MAX_MS = 5 * 60_000;

type Ground = { readonly configuration: Configuration; readonly ports: Pick<Ports, "adapter">; readonly watch: Watch };

export const askProvider = async (
  { configuration, ports, watch }: Ground,
  name: string,
  registered: readonly ExaminedVm[] | undefined,
): Promise<readonly InstallationFinding[]> => {
  const at = environmentAt(name, configuration);
  if ("code" in at) return [found("provider", "provider-unconfigured", { environment: name }, { refusals: [at] })];
  const { adapter, desired } = at.environment;
  const facts = { adapter, environment: name };
  const opened = await ports.adapter(name, at.environment, configuration.home);
  if ("code" in opened) return [found("provider", "provider-unopened", facts, { refusals: [opened] })];
  const { examine } = opened;
  if (examine === undefined) return [found("provider", "provider-none", facts)];
  watch({ at: "examining", environment: name });
  const vms = registered ?? desiredIn(configuration, desired);
  const counted = { ...facts, vms: vms.length };
  const asked =
    registered === undefined
      ? found("provider", "provider-asked-of-file", { ...counted, file: desired })
      : found("provider", "provider-asked", counted);
  return [asked, ...(await examine(vms, AbortSignal.timeout(ASK_MAX_MS))).map(findingBy(adapter))];
};

const CODES = { unreachable: "provider-unreachable", untrusted: "provider-untrusted" } as const;

const findingBy =
  (adapter: string) =>
  ({ cause, check, code, commands, facts, isWrong }: ExaminationFinding): ProviderFinding => {
    const finding = { adapter, check, code, facts, kind: "provider" } as const;
    if (!isWrong) return { ...finding, refusals: [] };
    const wrong = { ...facts, check, finding: code };
    const refusal = refuse(cause === undefined ? "provider-unready" : CODES[cause], { facts: wrong });
    return { ...finding, ...(commands.length > 0 ? { commands } : {}), refusals: [refusal] };
  };

/** By its entry; what the provider itself shows of it may protect it besides. */
export const examineeOf = (entry: Pick<DesiredEntry, "name" | "protected" | "vmid">): ExaminedVm => ({
  isProtected: entry.protected === true || isProductionName(entry.name),
  vmid: entry.vmid,
});

/** A desired file that cannot be read has its own finding. */
const desiredIn = ({ home }: Configuration, desired: string): readonly ExaminedVm[] => {
  const text = readText(home, desired);
  const parsed = text.kind === "ok" ? parseDesired(text.value, desired) : text;
  return parsed.kind === "ok" ? parsed.value.vms.map(examineeOf) : [];
};
