// dedalus people and people remove: who signs in here or is invited, and the end of everything by which one of them is
// known.

import type { PersonListed } from "../../service/read/people-list.ts";
import { askService } from "../asking/at-service.ts";
import type { CommandRun } from "../command.ts";
import { expiryText, whenCell } from "../views/age.ts";
import { grantsCell } from "../views/grants-text.ts";
import { type Cell, type Column, table } from "../views/table.ts";
import type { TextStyle } from "../views/text-style.ts";

export const runPeople: CommandRun = (given, io) =>
  askService(
    given,
    io,
    ({ people }) => people,
    {},
    ({ value }) => ({
      exit: "done",
      json: value,
      text: (style) =>
        value.people.length === 0
          ? [
              "nobody signed in or is invited",
              style.dim(`tokens are listed by: ${style.command({ ask: "tokens", with: {} })}`),
            ]
          : table(
              COLUMNS,
              value.people.map((person) => cellsOf(person, style)),
              style,
            ),
    }),
  );

type SignsInBy = PersonListed["signsInBy"];

const COLUMNS: readonly Column[] = [
  { heading: "NAME" },
  { heading: "SIGNS IN BY", shorten: 1 },
  { heading: "ROLES" },
  { drop: 2, heading: "INVITED BY" },
  { heading: "LAST SIGN-IN", shorten: 1 },
  { drop: 3, heading: "SESSIONS" },
];

const BY: Readonly<Record<SignsInBy, string>> = { invitation: "invited", oidc: "provider", passkey: "passkey" };

const byCell = ({ expiresAt, signsInBy }: PersonListed, style: TextStyle): Cell => ({
  short: BY[signsInBy],
  whole: expiresAt === undefined ? BY[signsInBy] : `${BY[signsInBy]}, ${expiryText(expiresAt, style)}`,
});

const cellsOf = (person: PersonListed, style: TextStyle): readonly Cell[] => {
  const { grants, invitedBy, name, sessions, signedInAt } = person;
  return [
    name,
    byCell(person, style),
    grantsCell(grants),
    invitedBy ?? "-",
    signedInAt === undefined ? "never" : whenCell(signedInAt, style),
    String(sessions.length),
  ];
};

/** What is at an end with them. */
const ENDED: Readonly<Record<SignsInBy, string>> = {
  invitation: "the invitation opens nothing any more",
  oidc: "their sessions, open approvals, plans and invitations are void",
  passkey: "their passkey, sessions, open approvals, plans and invitations are void",
};

export const runPeopleRemove: CommandRun = async (given, io) => {
  const [name = ""] = given.positionals;
  return askService(
    given,
    io,
    ({ signOut }) => signOut,
    { name, reason: given.text.get("reason") ?? "" },
    ({ value }) => ({
      exit: "done",
      json: value,
      text: (style) => [
        `removed ${value.name}${value.signsInBy === undefined ? "" : `; ${ENDED[value.signsInBy]}`}`,
        `record ${value.seq}`,
        ...(value.signsInBy === "oidc"
          ? [
              style.dim(
                "next: take them out of their groups at your identity provider; until then they can sign in again",
              ),
            ]
          : []),
      ],
    }),
  );
};
