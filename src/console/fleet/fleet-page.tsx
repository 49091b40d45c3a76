// Fleet: every desired VM, desired beside observed, and what stands between the two. Search and filters are part of the
// address.
//
// An observation or a plan is asked for at the end of the page, one environment at a time.

import { type ReactNode, useMemo } from "react";
import type { AnswerBodies } from "../../boundary/contract/typed-answers.ts";
import { readPath } from "../ask/get.ts";
import { pathTo } from "../page-address.ts";
import type { PageProps } from "../pages.tsx";
import { ChoiceField, SearchField, UnknownChoice } from "../parts/filters.tsx";
import { Link } from "../parts/link.tsx";
import { SameElsewhere } from "../parts/same-elsewhere.tsx";
import { SnapshotHead } from "../parts/snapshot-head.tsx";
import { SnapshotShown, useSnapshot } from "../snapshot.tsx";
import { spellCommand } from "../spell-here.ts";
import { EnvironmentActs, EnvironmentStatus } from "./environment-status.tsx";
import { FleetTable } from "./fleet-rows.tsx";
import { loadFleet } from "./load-fleet.ts";
import { FLEET_SHOWS, fleetRows, narrowFleet } from "./narrow-fleet.ts";

export const FleetPage = ({ address, go, session }: PageProps<"fleet">): ReactNode => {
  const [snapshot, readAgain] = useSnapshot("fleet", loadFleet);
  const { environment } = address.query;
  return (
    <>
      <h1>Fleet</h1>
      <SnapshotShown readAgain={readAgain} snapshot={snapshot}>
        {({ allowances, at, fleet }, head) => {
          const shown = fleet.filter((one) => environment === undefined || one.environment === environment);
          return (
            <>
              <SnapshotHead at={at} head={head} readAgain={readAgain} />
              {fleet.every(({ registeredVms }) => registeredVms.length === 0) ? (
                <p>
                  No VM is registered. <Link to={{ page: "start", parts: {}, query: {} }}>How to begin</Link>
                </p>
              ) : undefined}
              <Vms address={address} fleet={fleet} go={go} />
              {shown.map((one) => (
                <EnvironmentStatus environment={one} key={one.environment} />
              ))}
              <SameElsewhere
                commands={[
                  spellCommand("fleet", { environment }),
                  ...shown.flatMap((one) => [
                    spellCommand("observe", { environment: one.environment }),
                    spellCommand("plan", { environment: one.environment }),
                  ]),
                ]}
                paths={[readPath("fleet", environment === undefined ? {} : { environment })]}
              />
              {shown.map((one) => (
                <EnvironmentActs
                  allowances={allowances}
                  environment={one.environment}
                  key={one.environment}
                  readAgain={readAgain}
                  session={session}
                />
              ))}
            </>
          );
        }}
      </SnapshotShown>
    </>
  );
};

const ORDERS = [
  ["", "by vmid"],
  ["node", "by node"],
] as const;
const SHOWS = [["", "every state"], ...Object.entries(FLEET_SHOWS)] as const;

const Vms = ({
  address,
  fleet,
  go,
}: Pick<PageProps<"fleet">, "address" | "go"> & Pick<AnswerBodies["fleet"], "fleet">): ReactNode => {
  const { by, environment, find, show } = address.query;
  const all = useMemo(() => fleetRows(fleet), [fleet]);
  const rows = useMemo(
    () =>
      narrowFleet(all, {
        ...(by && { by }),
        ...(environment && { environment }),
        ...(find && { find }),
        ...(show && { show }),
      }),
    [all, by, environment, find, show],
  );
  const turn = (query: typeof address.query): void =>
    go(pathTo({ ...address, query: { ...address.query, ...query } }), "in-place");
  const environments = fleet.map((one) => one.environment);
  const unknown = unknownIn(address.query, environments);
  return (
    <section aria-labelledby="vms">
      <h2 id="vms">VMs</h2>
      <div className="filters">
        <SearchField find={find} label="Find a VM, node, code or rule" onFind={(text) => turn({ find: text })} />
        <ChoiceField choices={SHOWS} label="Show" onChoose={(word) => turn({ show: word })} value={show} />
        <ChoiceField
          choices={[["", "every environment"], ...environments.map((name) => [name, name] as const)]}
          label="Environment"
          onChoose={(word) => turn({ environment: word })}
          value={environment}
        />
        <ChoiceField choices={ORDERS} label="Order" onChoose={(word) => turn({ by: word })} value={by} />
      </div>
      {unknown === undefined ? (
        <>
          <p className="soft" role="status">
            {rows.length} of {all.length} VMs
          </p>
          {rows.length === 0 ? undefined : <FleetTable rows={rows} />}
        </>
      ) : (
        <UnknownChoice {...unknown} whole={{ ...address, query: {} }} />
      )}
    </section>
  );
};

/** A filter that nobody knows shows nothing: another list than was asked for would be taken for it. */
const unknownIn = (
  { by, environment, show }: PageProps<"fleet">["address"]["query"],
  environments: readonly string[],
): Omit<Parameters<typeof UnknownChoice>[0], "whole"> | undefined => {
  const given: readonly (readonly [string, string | undefined, readonly string[]])[] = [
    ["show", show, Object.keys(FLEET_SHOWS)],
    ["by", by, ["node"]],
    ["environment", environment, environments],
  ];
  const found = given.find(([, word, known]) => word !== undefined && word !== "" && !known.includes(word));
  return found === undefined ? undefined : { filter: found[0], known: found[2], word: found[1] ?? "" };
};
