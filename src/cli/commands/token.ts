// dedalus token create, rotate, revoke and list: who may ask as whom, and until when. A token is shown once; the ledger
// keeps its hash, and knows it by its public id.

import type { TokenMade, TokenRequested } from "../../service/act/token.ts";
import { tokensJson } from "../../service/json/read-json.ts";
import type { TokenListed } from "../../service/read/tokens.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { present } from "../../spine/values/present.ts";
import { daysIn, grantedRolesIn } from "../arguments/granted-roles.ts";
import { askService } from "../asking/at-service.ts";
import type { Arguments, CommandRun } from "../command.ts";
import { badInput } from "../failed-outcome.ts";
import type { Outcome } from "../outcome.ts";
import type { Io } from "../process/io.ts";
import { expiryText, whenCell } from "../views/age.ts";
import { grantsCell, grantsText } from "../views/grants-text.ts";
import { type Cell, type Column, table } from "../views/table.ts";
import type { TextStyle } from "../views/text-style.ts";

/** For whom and how long, as 30d or as a number of days; what is neither is none. */
const subjectIn = ({ text }: Arguments): Pick<TokenRequested, "days" | "name"> | Refusal => {
  const [days, expires] = [text.get("days"), text.get("expires")];
  if ((days === undefined) === (expires === undefined))
    return refuse("usage", { cause: "one-of", facts: { arguments: ["--expires", "--days"] } });
  return { days: daysIn(expires ?? `${days}d`), name: text.get("name") ?? "" };
};

const KINDS = ["agent", "person"] as const;

const kindIn = ({ text }: Arguments): TokenRequested["kind"] | Refusal => {
  const found = text.get("kind");
  if (found === undefined) return undefined;
  const kind = KINDS.find((one) => one === found);
  return kind ?? refuse("usage", { cause: "not-one-of", facts: { argument: "--kind", found, known: KINDS } });
};

export const runTokenCreate: CommandRun = async (given, io) => {
  const granted = grantedRolesIn(given);
  if ("code" in granted) return badInput([granted]);
  const subject = subjectIn(given);
  if ("code" in subject) return badInput([subject]);
  const kind = kindIn(given);
  if (kind !== undefined && typeof kind === "object") return badInput([kind]);
  const asked = { ...subject, ...granted, ...present({ kind }) };
  return askService(given, io, ({ createToken }) => createToken, asked, madeFor(io));
};

export const runTokenRotate: CommandRun = async (given, io) => {
  const subject = subjectIn(given);
  return "code" in subject
    ? badInput([subject])
    : askService(given, io, ({ rotateToken }) => rotateToken, subject, madeFor(io));
};

const madeFor =
  (io: Io) =>
  ({ value }: { readonly value: TokenMade }): Outcome => {
    const { expiresAt, grants, id, kind, name, seq, token = "" } = value;
    const revoke = io.spell({ ask: "revokeToken", with: { name } });
    if (value.token !== undefined)
      io.deeds.showOnce(`token ${id} for ${name} was created and never shown; revoke it: ${revoke}`);
    return {
      exit: "done",
      json: value,
      text: (style) => [
        `token ${id} for ${name} (${kind}; roles: ${grantsText(grants)}), ${expiryText(expiresAt, style)}; it is shown only this once:`,
        token,
        `record ${seq}`,
        // The shell asks for it, so that it stands in no history and in no list of processes.
        ...(value.token === undefined
          ? []
          : [style.dim("next: whoever it is for sets it in their shell, and checks it:")]),
        ...(value.token === undefined
          ? []
          : ["  read -rs DEDALUS_TOKEN && export DEDALUS_TOKEN", `  ${style.command({ ask: "whoami", with: {} })}`]),
      ],
    };
  };

export const runTokenRevoke: CommandRun = async (given, io) => {
  const [name, id] = [given.text.get("name"), given.text.get("id")];
  if ((name === undefined) === (id === undefined)) {
    return badInput([refuse("usage", { cause: "one-of", facts: { arguments: ["--name", "--id"] } })]);
  }
  return askService(
    given,
    io,
    ({ revokeToken }) => revokeToken,
    name === undefined ? { id: id ?? "" } : { name },
    ({ value }) => ({
      exit: "done",
      json: value,
      text: () => [
        `revoked token ${value.id} of ${value.name}; its open approvals and plans are void`,
        `record ${value.seq}`,
      ],
    }),
  );
};

export const runTokenList: CommandRun = (given, io) =>
  askService(
    given,
    io,
    ({ tokens }) => tokens,
    {},
    ({ value }) => ({
      exit: "done",
      json: tokensJson(value),
      text: (style) =>
        value.tokens.length === 0
          ? ["no active token"]
          : table(
              COLUMNS,
              value.tokens.map((token) => cellsOf(token, style)),
              style,
            ),
    }),
  );

const COLUMNS: readonly Column[] = [
  { heading: "ID" },
  { heading: "NAME" },
  { drop: 3, heading: "KIND" },
  { heading: "ROLES" },
  { drop: 2, heading: "MADE BY" },
  { heading: "EXPIRES", shorten: 1 },
];

const cellsOf = ({ expiresAt, grants, id, kind, maker, name }: TokenListed, style: TextStyle): readonly Cell[] => [
  id,
  name,
  kind,
  grantsCell(grants),
  maker ?? "-",
  whenCell(expiresAt, style),
];
