// Posture: who reads and what they may do, how the service stands, what is frozen, open or blocked; and last what
// can be done: freeze, unfreeze, and end an unknown outcome.

import type { ReactNode } from "react";
import { readPath } from "../ask/get.ts";
import { againstAct } from "../ask/read-allowances.ts";
import type { PageProps } from "../pages.tsx";
import { ActButton } from "../parts/act-button.tsx";
import { Hash } from "../parts/hash.tsx";
import { InstantShown } from "../parts/instant.tsx";
import { Link } from "../parts/link.tsx";
import { ProblemPart } from "../parts/problem.tsx";
import { Quoted } from "../parts/quoted.tsx";
import { SameElsewhere } from "../parts/same-elsewhere.tsx";
import { SnapshotHead } from "../parts/snapshot-head.tsx";
import { SnapshotShown, useSnapshot } from "../snapshot.tsx";
import { spellCommand } from "../spell-here.ts";
import { FreezeActs } from "./freeze-acts.tsx";
import { loadPosture, type PostureLoaded } from "./load-posture.ts";
import { rolesText, TokenTable } from "./token-table.tsx";

export const PosturePage = ({ session }: PageProps<"posture">): ReactNode => {
  const [snapshot, readAgain] = useSnapshot("posture", loadPosture);
  return (
    <>
      <h1>Posture</h1>
      <SnapshotShown readAgain={readAgain} snapshot={snapshot}>
        {(loaded, head) => (
          <>
            <SnapshotHead at={loaded.status.at} head={head} readAgain={readAgain} />
            <Reader whoami={loaded.whoami} />
            <Serving {...loaded} />
            <Frozen status={loaded.status} />
            <UnderWay status={loaded.status} />
            <h2>Tokens</h2>
            {"refusals" in loaded.tokens ? (
              <ProblemPart problem={loaded.tokens} />
            ) : (
              <TokenTable tokens={loaded.tokens} />
            )}
            <SameElsewhere
              commands={[
                spellCommand("status", {}),
                spellCommand("whoami", {}),
                spellCommand("environments", {}),
                spellCommand("tokens", {}),
                spellCommand("freeze", {}),
                spellCommand("unfreeze", {}),
                ...loaded.status.blocked.map(({ environment, vmid }) =>
                  spellCommand("reconcile", { environment, vm: String(vmid) }),
                ),
              ]}
              paths={[
                readPath("status", {}),
                readPath("whoami", {}),
                readPath("environments", {}),
                readPath("allowances", {}),
                readPath("tokens", {}),
                "/readyz",
              ]}
            />
            <h2>Freeze, unfreeze, reconcile</h2>
            {loaded.status.blocked.map(({ environment, vmid }) => (
              <ActButton
                against={againstAct(loaded.allowances, "reconcile", environment)}
                key={`${environment} ${vmid}`}
                operation="reconcile"
                readAgain={readAgain}
                request={{ environment, vmid: String(vmid) }}
                session={session}
                title={`Reconcile VM ${vmid} in ${environment} by a fresh observation`}
              />
            ))}
            <FreezeActs allowances={loaded.allowances} readAgain={readAgain} session={session} />
            {loaded.configured.map(({ environment }) => (
              <FreezeActs
                allowances={loaded.allowances}
                environment={environment}
                key={environment}
                readAgain={readAgain}
                session={session}
              />
            ))}
          </>
        )}
      </SnapshotShown>
    </>
  );
};

const Reader = ({ whoami: { actor, expiresAt, grants } }: Pick<PostureLoaded, "whoami">): ReactNode => (
  <>
    <h2>Who you are</h2>
    <dl>
      <dt>Name</dt>
      <dd>
        <Quoted text={actor.id} />, {actor.kind === "person" ? "a person" : actor.kind}
      </dd>
      <dt>Roles</dt>
      <dd>{grants.length === 0 ? "none" : <Quoted text={rolesText(grants)} whole />}</dd>
      <dt>Session</dt>
      <dd>
        {expiresAt === undefined ? (
          "does not expire"
        ) : (
          <>
            expires at <InstantShown at={expiresAt} />, or earlier when idle
          </>
        )}
        . <a href="/signed-in">Sign out</a>
      </dd>
    </dl>
  </>
);

const Serving = ({ configured, ready, status }: PostureLoaded): ReactNode => (
  <>
    <h2>The service</h2>
    {"refusals" in ready ? (
      <ProblemPart problem={ready} />
    ) : (
      <dl>
        <dt>Engine</dt>
        <dd>
          <span className="machine">{ready.engine}</span>
        </dd>
        <dt>Contract</dt>
        <dd>
          <Hash name="Contract" of={ready.contract} />
        </dd>
        <dt>Rules version</dt>
        <dd>
          <span className="machine">{ready.rules}</span>
        </dd>
      </dl>
    )}
    <ul className="plain">
      {configured.map(({ approvalMode, environment, frozenNow, tightened }) => (
        <li key={environment}>
          <Quoted text={environment} />: {approvalMode}, {frozenNow ? "frozen" : "not frozen"},{" "}
          {tightened ? "tightened by a policy" : "no policy"}
        </li>
      ))}
    </ul>
    {status.policies.map(({ environment, tighten }) => (
      <div key={environment}>
        <h3>
          Policy of <Quoted text={environment} />
        </h3>
        <pre>
          <Quoted text={tighten.map((line) => JSON.stringify(line)).join("\n")} whole />
        </pre>
      </div>
    ))}
  </>
);

const Frozen = ({ status: { freezes } }: Pick<PostureLoaded, "status">): ReactNode => (
  <>
    <h2>Freezes</h2>
    {freezes.length === 0 ? <p>Nothing is frozen.</p> : undefined}
    <ul className="plain">
      {freezes.map(({ at, by, environment, id, reason }) => (
        <li key={id}>
          <Quoted text={environment ?? "everything"} /> since <InstantShown at={at} />, by <Quoted text={by} />: “
          <Quoted text={reason} whole />”
        </li>
      ))}
    </ul>
  </>
);

const UnderWay = ({ status: { blocked, open, overdue } }: Pick<PostureLoaded, "status">): ReactNode => (
  <>
    <h2>Open intents and blocked VMs</h2>
    {open.length + blocked.length === 0 ? <p>No intent is open, and no VM is blocked.</p> : undefined}
    <ul className="plain">
      {open.map(({ action, environment, id, name, planId, settleBy, step, vmid }) => (
        <li key={id}>
          Open: {action} of <Quoted text={name} />,{" "}
          <Link to={{ page: "vm", parts: { environment, vmid: String(vmid) }, query: {} }}>VM {vmid}</Link>,{" "}
          <Link to={{ page: "step", parts: { plan: planId, step: String(step) }, query: {} }}>its step</Link>, settled
          by <InstantShown at={settleBy} />
          {overdue.includes(id) ? "; overdue, and the next record ends it as unknown" : ""}
        </li>
      ))}
      {blocked.map(({ action, environment, id, name, settleBy, vmid }) => (
        <li key={id}>
          Blocked: <Quoted text={name} />,{" "}
          <Link to={{ page: "vm", parts: { environment, vmid: String(vmid) }, query: {} }}>VM {vmid}</Link>. What became
          of {action} is unknown; an observation after <InstantShown at={settleBy} /> ends it
        </li>
      ))}
    </ul>
  </>
);
