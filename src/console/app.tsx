// From the address to its page: who is signed in is read once for each page, then the page reads its own snapshot.
//
// Links are followed here without loading the frame anew; going back, forward and reloading only read. keeps P7-A1
// A page that was built for another contract shows that and nothing else.

import { type MouseEvent, type ReactNode, useEffect, useState } from "react";
import { readVisitorSession, type VisitorHeard } from "./ask/visitor-session.ts";
import { type Address, addressAt, ROOT, type Strayed } from "./page-address.ts";
import { type Going, PageAt } from "./pages.tsx";
import { Failure } from "./parts/failure.tsx";
import { Shell } from "./parts/shell.tsx";
import { ShortcutSheet } from "./parts/shortcut-sheet.tsx";
import { SignedOut } from "./snapshot.tsx";
import { TypedTexts } from "./typed-texts.tsx";

const here = (): string => `${location.pathname}${location.search}`;

/** Those of our own pages, pressed plainly; everything else is the browser's. */
const followed = (event: MouseEvent): string | undefined => {
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin) return undefined;
  if (link.hash !== "" && link.pathname === location.pathname) return undefined;
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  return link.pathname.startsWith(`${ROOT}/`) && link.target === "" ? link.href : undefined;
};

export const App = (): ReactNode => {
  const [, come] = useState(here);
  const [session, hear] = useState<VisitorHeard | undefined>(undefined);
  useEffect(() => {
    const arrive = (): void => come(here());
    addEventListener("popstate", arrive);
    return () => removeEventListener("popstate", arrive);
  }, []);
  const { pathname } = location;
  // biome-ignore lint/correctness/useExhaustiveDependencies: on each page, whoever was signed out meanwhile is told
  useEffect(() => {
    const leaving = new AbortController();
    void readVisitorSession(leaving.signal).then((heard) => {
      if (!leaving.signal.aborted) hear(heard);
    });
    return () => leaving.abort();
  }, [pathname]);
  const go: Going = (to, how) => {
    if (how === "in-place") history.replaceState(null, "", to);
    else history.pushState(null, "", to);
    come(here());
    if (how !== "in-place") scrollTo(0, 0);
  };
  const follow = (event: MouseEvent): void => {
    const to = followed(event);
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  };
  const address = addressAt(location.pathname, location.search);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: links are links; this only spares loading the frame again
    // biome-ignore lint/a11y/useKeyWithClickEvents: a link that is followed by keyboard clicks too
    <div onClick={follow}>
      <Shell address={address} session={session}>
        <Failure key={pathname}>
          <TypedTexts>{inside(address, session, go)}</TypedTexts>
        </Failure>
      </Shell>
      <ShortcutSheet go={go} />
    </div>
  );
};

const inside = (address: Address | Strayed, session: VisitorHeard | undefined, go: Going): ReactNode => {
  if ("kind" in address) return <Nowhere strayed={address} />;
  if (session === undefined)
    return (
      <p className="soft" role="status">
        Loading…
      </p>
    );
  switch (session.kind) {
    case "signed-in":
      return <PageAt address={address} go={go} session={session.session} />;
    case "signed-out":
      return <SignedOut />;
    case "foreign-contract":
      return (
        <div className="notice" role="alert">
          <p>
            <strong>This page was built for another version of the service.</strong> It shows nothing and asks for
            nothing. Reload it.
          </p>
        </div>
      );
    case "lost":
      return (
        <div className="notice" role="alert">
          <p>
            <strong>No answer from the service.</strong> Reload the page once the service is back.
          </p>
        </div>
      );
  }
};

const Nowhere = ({ strayed }: { readonly strayed: Strayed }): ReactNode => (
  <div className="notice">
    <h1>No such page</h1>
    <p>
      {strayed.kind === "no-page" ? (
        <>
          Nothing is at <span className="machine">{strayed.path}</span>.
        </>
      ) : (
        <>
          The page at <span className="machine">{strayed.path}</span> does not take the filter{" "}
          <span className="machine">{strayed.name}</span>, or takes it once.
        </>
      )}
    </p>
    <p>
      <a href={`${ROOT}/`}>Back to the fleet</a>
    </p>
  </div>
);
