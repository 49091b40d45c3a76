// A time, as the service gave it: UTC to the second, without zone, locale or countdown.

import type { ReactNode } from "react";
import { seenInstant } from "../../boundary/contract/seen-text.ts";

export const InstantShown = ({ at }: { readonly at: string }): ReactNode => (
  <time className="machine" dateTime={at}>
    {seenInstant(at)}
  </time>
);
