// What surrounds every page: where one is, where one can go, who is signed in.

import { type ReactNode, useEffect, useRef } from "react";
import type { VisitorHeard } from "../ask/visitor-session.ts";
import { type Address, type PageName, pathTo, type Strayed } from "../page-address.ts";
import { pageTitle } from "../page-title.ts";
import { Quoted } from "./quoted.tsx";

/** Those that are reached from everywhere, in the order of the work. */
export const PLACES = [
  ["fleet", "Fleet"],
  ["plans", "Plans"],
  ["approvals", "Approvals"],
  ["ledger", "Ledger"],
  ["incident", "Incident"],
  ["posture", "Posture"],
  ["rules", "Rules"],
] as const satisfies readonly (readonly [PageName, string])[];

/** Pages that are reached through another one. */
const WITHIN: { readonly [P in PageName]?: PageName } = {
  after: "ledger",
  plan: "plans",
  record: "ledger",
  start: "fleet",
  step: "plans",
  verify: "ledger",
  vm: "fleet",
};

export const Shell = ({
  address,
  children,
  session,
}: {
  readonly address: Address | Strayed;
  readonly children: ReactNode;
  readonly session: VisitorHeard | undefined;
}): ReactNode => {
  const main = useRef<HTMLElement>(null);
  const page = "page" in address ? address.page : undefined;
  const place = page === undefined ? undefined : (WITHIN[page] ?? page);
  const title = pageTitle(address);
  // Whoever cannot see that another page is there hears it; the focus is on no act.
  useEffect(() => {
    document.title = title;
    main.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <>
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <header className="bar">
        <span className="brand">Dedalus</span>
        <nav aria-label="Pages">
          {PLACES.map(([name, title]) => (
            <a
              aria-current={place === name ? (page === name ? "page" : "true") : undefined}
              href={pathTo({ page: name, parts: {}, query: {} })}
              key={name}
            >
              {title}
            </a>
          ))}
        </nav>
        <span className="who">{whoIn(session)}</span>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
    </>
  );
};

const whoIn = (session: VisitorHeard | undefined): ReactNode => {
  if (session?.kind !== "signed-in") return undefined;
  return (
    <>
      <Quoted text={session.session.name} /> <a href="/signed-in">Session</a>
    </>
  );
};
