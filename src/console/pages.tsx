// Which page shows what: one component for each address, loaded when somebody goes there.

import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import type { VisitorSession } from "./ask/visitor-session.ts";
import type { Address, PageName } from "./page-address.ts";

/** In place: another view of the same page, such as a filter that somebody types; going back leaves the page. */
export type Going = (to: string, how?: "in-place") => void;

export type PageProps<P extends PageName> = {
  readonly address: Address<P>;
  /** To another address of the console. */
  readonly go: Going;
  readonly session: VisitorSession;
};

const LOADERS: { readonly [P in PageName]: () => Promise<ComponentType<PageProps<P>>> } = {
  approvals: async () => (await import("./decide/approvals-page.tsx")).ApprovalsPage,
  fleet: async () => (await import("./fleet/fleet-page.tsx")).FleetPage,
  rules: async () => (await import("./posture/rules-page.tsx")).RulesPage,
  start: async () => (await import("./fleet/start-page.tsx")).StartPage,
  step: async () => (await import("./decide/step-page.tsx")).StepPage,
  incident: async () => (await import("./incident/incident-page.tsx")).IncidentPage,
  ledger: async () => (await import("./ledger/ledger-page.tsx")).LedgerPage,
  posture: async () => (await import("./posture/posture-page.tsx")).PosturePage,
  record: async () => (await import("./ledger/record-page.tsx")).RecordPage,
  after: async () => (await import("./ledger/then-page.tsx")).ThenPage,
  vm: async () => (await import("./fleet/vm-page.tsx")).VmPage,
  verify: async () => (await import("./ledger/verify-page.tsx")).VerifyPage,
  plan: async () => (await import("./plans/plan-page.tsx")).PlanPage,
  plans: async () => (await import("./plans/plans-page.tsx")).PlansPage,
};

type Came<P extends PageName> = { readonly component: ComponentType<PageProps<P>>; readonly page: P };

/**
 * The component of a page once it has come. Not by React's Suspense: so that nothing flickers, it holds back for a
 * third of a second what is already there.
 */
const useComponent = <P extends PageName>(page: P): ComponentType<PageProps<P>> | undefined => {
  const [came, come] = useState<Came<P> | undefined>(undefined);
  useEffect(() => {
    let isLeft = false;
    const show = (component: ComponentType<PageProps<P>>): void => {
      if (!isLeft) come({ component, page });
    };
    // Thrown where the page would be, so that it is shown as the failure that it is.
    const fail = (error: unknown): void =>
      come(() => {
        throw error;
      });
    LOADERS[page]().then(show, fail);
    return () => {
      isLeft = true;
    };
  }, [page]);
  return came?.page === page ? came.component : undefined;
};

export const PageAt = <P extends PageName>(props: PageProps<P>): ReactNode => {
  const Shown = useComponent<P>(props.address.page as P);
  if (Shown !== undefined) return <Shown {...props} />;
  return (
    <p className="soft" role="status">
      Loading…
    </p>
  );
};
