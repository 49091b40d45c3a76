// What differs between a desired file and what is registered, and what became of it, as lines.

import type { DesiredFileCompared } from "../../service/act/desired-file.ts";
import type { EntryChange } from "../../service/entry-changes.ts";
import type { DesiredFileSeen } from "../../service/read/desired-file-seen.ts";
import type { Fact, Facts, LooseningKind } from "../../spine/model.ts";
import type { AgainstTarget } from "../../spine/plan/against-target.ts";
import { attributesText } from "../../spine/words/steps/attribute-words.ts";
import { LOOSENING_WORDS } from "../../spine/words/steps/loosening-words.ts";
import { columns } from "./columns.ts";
import { counted } from "./counted.ts";
import type { Paint } from "./paint.ts";
import { signText } from "./signs.ts";
import type { TextStyle } from "./text-style.ts";

const SIGNED = { added: "begin", changed: "change", removed: "end" } as const;

export const changeLines = (changes: readonly EntryChange[], paint: Paint): readonly string[] =>
  columns(changes.map((one) => [` ${signText(SIGNED[one.change], paint)} ${one.vmid}`, one.name, changeText(one)]));

const changeText = (one: EntryChange): string =>
  one.change === "changed" ? attributesText(one.attributes) : one.change;

/** A service reads its own files alone: what is edited here is registered first. */
export const unreadHereLines = (environment: string, file: string, style: TextStyle): readonly string[] => [
  `the service uses what is registered for ${environment}; ${file} in this folder differs and was not read. To use it, register it first:`,
  `  ${style.command({ ask: "register", with: { desired: file, environment } })}`,
];

/** For whoever compared with what is registered: what the file says meanwhile, and which command looks at it. */
export const desiredFileSeenLines = (
  environment: string,
  { changes, file: named, kind }: DesiredFileSeen,
  style: TextStyle,
  isElsewhere: boolean,
): readonly string[] => {
  const file = isElsewhere ? `${named} at the service` : named;
  const plan = style.command({ ask: "makePlan", with: { environment } });
  const register = style.command({ ask: "register", with: { environment } });
  switch (kind) {
    case "absent":
      return isElsewhere ? [] : [`${file} does not exist; compared with what is registered`];
    case "differs":
      return [`${file} differs from what is registered for ${counted(changes.length, "VM")}; next: ${plan}`];
    case "unreadable":
      return [`${file} cannot be read as a desired state; compared with what is registered; next: ${register}`];
  }
};

/** `isElsewhere`: the file is the service's own, which need not have one. */
export const desiredFileLines = (
  environment: string,
  compared: DesiredFileCompared,
  style: TextStyle,
  isElsewhere = false,
): readonly string[] => {
  const { changes } = compared;
  const file = isElsewhere ? `${compared.file} at the service` : compared.file;
  const differs = [`${file} differs from what is registered for ${environment}:`, ...changeLines(changes, style)];
  const register = `  ${style.command({ ask: "register", with: { environment } })}`;
  switch (compared.kind) {
    case "registered":
      return [...differs, `registered first (record ${compared.seq})`, ""];
    case "loosens":
      return [
        ...differs,
        "not registered by a plan, because it removes protection; planned against what is registered:",
        ...compared.loosenings.map(
          ({ kind, name, vmid }) => ` ${signText("refused", style)} ${vmid}  ${name}: ${LOOSENING_WORDS[kind]}`,
        ),
        "if that is meant:",
        register,
        "",
      ];
    case "may-not-register":
      return [...differs, "planned against what is registered; an operator registers it:", register, ""];
    case "absent":
      if (isElsewhere) return [];
      return [`${file} does not exist; planned against what is registered for ${environment}`, ""];
  }
};

/** A later plan on what is registered would want to undo it. */
export const againstTargetLines = (against: readonly AgainstTarget[], paint: Paint): readonly string[] =>
  against.length === 0
    ? []
    : [paint.bold(`not the registered ${against.join(" and ")}: the next plan will propose to undo it`)];

/** What a registration would remove of what protects a VM or says which one is meant, from the facts of its refusal. */
export const looseningLines = ({ environment, kinds, names, vmids }: Facts, style: TextStyle): readonly string[] => [
  `This removes what protects or identifies VMs of ${environment}:`,
  ...listed(kinds).map((kind, at) => {
    const words = LOOSENING_WORDS[kind as LooseningKind];
    return ` ${signText("refused", style)} ${listed(vmids)[at]}  ${listed(names)[at]}: ${words}`;
  }),
];

const listed = (fact: Fact | undefined): readonly (number | string)[] => (Array.isArray(fact) ? fact : []);
