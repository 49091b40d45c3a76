// The desired file of an environment beside what is registered, for whoever only reads: it is neither registered nor
// refused.
//
// Undefined where the file says what is registered. Not here: what a plan does about it (act/desired-file.ts).

import type { DesiredState } from "../../spine/model.ts";
import { readDesiredFile } from "../desired-text.ts";
import { differences, type EntryChange } from "../entry-changes.ts";
import type { EnvironmentNamed } from "../hold/environment-at.ts";

export type DesiredFileSeen = {
  readonly changes: readonly EntryChange[];
  readonly file: string;
  readonly kind: "absent" | "differs" | "unreadable";
};

export const seeDesiredFile = (
  home: string,
  at: EnvironmentNamed,
  registered: DesiredState,
): DesiredFileSeen | undefined => {
  const { desired: file } = at.environment;
  const read = readDesiredFile(home, file, at.name);
  switch (read.kind) {
    case "absent":
    case "unreadable":
      return { changes: [], file, kind: read.kind };
    case "read": {
      const { desired } = read;
      if (desired.digest === registered.digest) return undefined;
      return { changes: differences(registered, desired), file, kind: "differs" };
    }
  }
};
