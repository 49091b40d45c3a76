// One snapshot per page: what the service answered at one head, shown whole or not at all. Nothing is swapped in by
// itself: whoever wants the newer state asks for it. keeps P7-A1, P7-D1
//
// Not here: what tells that there is something newer (parts/news.tsx).

import { type ReactNode, useCallback, useEffect, useState } from "react";
import type { ReadAnswer, ReadHead } from "./ask/get.ts";
import type { MovedOn } from "./ask/read-together.ts";
import { ProblemPart } from "./parts/problem.tsx";

export type Snapshot<T> = { readonly kind: "reading" } | MovedOn | ReadAnswer<T>;

/** Reads when the address changes and when somebody asks for it; an answer to what is no longer asked is dropped. */
export const useSnapshot = <T,>(
  address: string,
  load: (signal: AbortSignal) => Promise<MovedOn | ReadAnswer<T>>,
): readonly [Snapshot<T>, readAgain: () => void] => {
  const [asked, ask] = useState({ address, load, times: 0 });
  const [snapshot, show] = useState<Snapshot<T>>({ kind: "reading" });
  if (asked.address !== address) {
    ask({ address, load, times: 0 });
    show({ kind: "reading" });
  }
  useEffect(() => {
    const leaving = new AbortController();
    void asked.load(leaving.signal).then((heard) => {
      if (!leaving.signal.aborted) show(heard);
    });
    return () => leaving.abort();
  }, [asked]);
  const readAgain = useCallback(() => {
    show({ kind: "reading" });
    ask((before) => ({ ...before, load, times: before.times + 1 }));
  }, [load]);
  return [snapshot, readAgain];
};

/** The value of a snapshot, or why there is none. */
export const SnapshotShown = <T,>({
  children,
  readAgain,
  snapshot,
}: {
  readonly children: (value: T, head: ReadHead | undefined, text: string) => ReactNode;
  readonly readAgain: () => void;
  readonly snapshot: Snapshot<T>;
}): ReactNode => {
  switch (snapshot.kind) {
    case "read":
      return children(snapshot.value, snapshot.head, snapshot.text);
    case "reading":
      return (
        <p className="soft" role="status">
          Loading…
        </p>
      );
    case "refused":
      return <ProblemPart problem={snapshot.problem} />;
    case "signed-out":
      return <SignedOut />;
    case "lost":
      return (
        <Unshown readAgain={readAgain}>
          <strong>No answer from the service.</strong> Nothing is shown, because nothing is known of how things are.
        </Unshown>
      );
    case "moved-on":
      return (
        <Unshown readAgain={readAgain}>
          <strong>The ledger moved on while this page was read.</strong> Nothing is shown, because its parts are not of
          one state.
        </Unshown>
      );
  }
};

const Unshown = ({
  children,
  readAgain,
}: {
  readonly children: ReactNode;
  readonly readAgain: () => void;
}): ReactNode => (
  <div className="notice" role="alert">
    <p>{children}</p>
    <button onClick={readAgain} type="button">
      Refresh
    </button>
  </div>
);

/** For what was sent before: it is asked for again here, once somebody is signed in. */
export const SignInElsewhere = (): ReactNode => (
  <p>
    <a href="/sign-in" rel="noopener" target="_blank">
      Sign in, in another tab
    </a>
    , and ask again here.
  </p>
);

/**
 * Back here after signing in; nothing that was begun is taken up again. Elsewhere: in another tab, so that what was
 * typed stays.
 */
export const SignedOut = ({ elsewhere = false }: { readonly elsewhere?: boolean }): ReactNode => (
  <div className="notice" role="alert">
    <p>
      <strong>You are not signed in.</strong> Your session has ended, or there was none. Nothing was sent.
    </p>
    <p>
      {elsewhere ? (
        <>
          What you typed is still here.{" "}
          <a href="/sign-in" rel="noopener" target="_blank">
            Sign in, in another tab
          </a>
        </>
      ) : (
        <a href={`/sign-in?to=${encodeURIComponent(`${location.pathname}${location.search}`)}`}>Sign in</a>
      )}
    </p>
  </div>
);
