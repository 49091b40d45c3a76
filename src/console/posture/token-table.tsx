// The tokens that stand, as they are known: by name and public id, never by what proves them.

import type { ReactNode } from "react";
import type { AnswerBodies } from "../../boundary/contract/typed-answers.ts";
import { InstantShown } from "../parts/instant.tsx";
import { LongTable, type TableColumn } from "../parts/long-table.tsx";
import { Quoted } from "../parts/quoted.tsx";

type Token = AnswerBodies["tokens"]["tokens"][number];

export const rolesText = (grants: Token["grants"]): string =>
  grants
    .map(
      ({ environments, roles }) => `${roles.join(", ")} in ${environments === "all" ? "all" : environments.join(", ")}`,
    )
    .join("; ");

const COLUMNS: readonly TableColumn<Token>[] = [
  { cell: ({ name }) => <Quoted text={name} />, head: "Name", isHeader: true, share: 18 },
  { cell: ({ kind }) => kind, head: "Kind", share: 10 },
  { cell: ({ id }) => <span className="machine">{id}</span>, head: "Id", share: 14 },
  { cell: ({ grants }) => <Quoted text={rolesText(grants)} />, head: "Roles", share: 28 },
  {
    cell: ({ expired, expiresAt }) => (
      <>
        <InstantShown at={expiresAt} />
        {expired ? ", expired" : ""}
      </>
    ),
    head: "Expires",
    share: 18,
  },
  {
    cell: ({ maker }) => (maker === undefined ? <span className="soft">not known</span> : <Quoted text={maker} />),
    head: "Made by",
    share: 12,
  },
];

export const TokenTable = ({ tokens }: { readonly tokens: readonly Token[] }): ReactNode =>
  tokens.length === 0 ? (
    <p>There are no tokens.</p>
  ) : (
    <LongTable caption="Tokens" columns={COLUMNS} keyOf={({ id }) => id} rows={tokens} />
  );
