// What is shown when a page itself fails: that it did, and nothing of what it had begun to show. A page may fail after
// somebody pressed: then the keys by which it can be found are all that is said of it. Keeps P7-E2.

import { Component, type ReactNode } from "react";
import { usePressedActs } from "../pressed-acts.ts";

type Props = { readonly children: ReactNode };

/** A class: React catches what a child throws in nothing else. */
export class Failure extends Component<Props, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };
  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }
  override render(): ReactNode {
    return this.state.hasFailed ? <Failed /> : this.props.children;
  }
}

const Failed = (): ReactNode => {
  const keys = usePressedActs().pressedKeys();
  return (
    <div className="notice" role="alert">
      <p>
        <strong>This page has failed.</strong> This is a bug in the console. The service and the command line are not
        affected{keys.length === 0 ? ", and nothing was sent" : ""}.
      </p>
      {keys.length === 0 ? undefined : (
        <p>
          What you pressed in this tab may have been sent. Its record, if there is one, has the key{" "}
          <span className="machine">{keys.join(" or ")}</span>.
        </p>
      )}
    </div>
  );
};
