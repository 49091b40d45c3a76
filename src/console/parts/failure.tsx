// What is shown when a page itself fails: that it did, and nothing of what it had begun to show.

import { Component, type ReactNode } from "react";

type Props = { readonly children: ReactNode };

/** A class: React catches what a child throws in nothing else. */
export class Failure extends Component<Props, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };
  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }
  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <div className="notice" role="alert">
        <p>
          <strong>This page has failed.</strong> It is a bug of the console. The service and the command line are not
          affected, and nothing was sent.
        </p>
      </div>
    );
  }
}
