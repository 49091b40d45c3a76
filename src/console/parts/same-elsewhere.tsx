// The foot of a page: the same as commands, and as the calls that the page itself made.

import type { ReactNode } from "react";
import { Copyable } from "./copyable.tsx";

/** A path as somebody asks for it with a token of their own. */
const callTo = (path: string): string => `curl -H "Authorization: Bearer $DEDALUS_TOKEN" '${location.origin}${path}'`;

export const SameElsewhere = ({
  commands,
  paths,
}: {
  readonly commands: readonly string[];
  readonly paths: readonly string[];
}): ReactNode => (
  <section aria-labelledby="elsewhere" className="elsewhere">
    <h2 id="elsewhere">As a command and an API call</h2>
    {commands.map((command) => (
      <Copyable key={command} name="Command" text={command} />
    ))}
    {paths.map((path) => (
      <Copyable key={path} name="API" text={callTo(path)} />
    ))}
  </section>
);
