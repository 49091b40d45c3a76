// What differs between a desired file and what is registered, and what became of it, as lines.

import type { DesiredFileCompared } from "../../service/act/desired-file.ts";
import type { EntryChange } from "../../service/act/register.ts";
import type { AgainstTarget } from "../../spine/plan/against-target.ts";
import { LOOSENING_WORDS } from "../../spine/words/loosening-words.ts";
import { columns } from "./columns.ts";
import type { Paint } from "./paint.ts";
import { signText } from "./signs.ts";
import type { TextStyle } from "./text-style.ts";

const SIGNED = { added: "begin", changed: "change", removed: "end" } as const;

export const changeLines = (changes: readonly EntryChange[], paint: Paint): readonly string[] =>
  columns(changes.map(({ change, name, vmid }) => [` ${signText(SIGNED[change], paint)} ${vmid}`, name, change]));

export const desiredFileLines = (
  environment: string,
  compared: DesiredFileCompared,
  style: TextStyle,
): readonly string[] => {
  const { changes, file } = compared;
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
      return [`${file} does not exist; planned against what is registered for ${environment}`, ""];
  }
};

/** A later plan on what is registered would want to undo it. */
export const againstTargetLines = (against: readonly AgainstTarget[], paint: Paint): readonly string[] =>
  against.length === 0
    ? []
    : [paint.bold(`against the registered target (${against.join(", ")}): the next plan will want to undo it`)];
