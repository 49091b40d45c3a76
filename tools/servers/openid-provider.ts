// A real OpenID provider on the loopback address, in a process of its own: it talks much, and can be killed.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** By `sub`, which is also what they say at the provider's page. */
export type Person = { readonly groups?: readonly string[]; readonly name?: string };
export type People = Readonly<Record<string, Person>>;
export type Told = { readonly people: People; readonly redirectUris?: readonly string[] };

/** What a client was given for a code, by the names of the protocol. */
export type TokensIssued = { readonly access_token: string; readonly id_token: string };

export type OpenIdProvider = {
  readonly close: () => Promise<void>;
  /** Oldest first. */
  readonly issued: () => Promise<readonly TokensIssued[]>;
  readonly issuer: string;
  /** From the next sign-in on. */
  readonly setPeople: (people: People) => Promise<void>;
};

export const CLIENT = { id: "dedalus", secret: "a secret of the client" } as const;

const tell = async <T>(child: ChildProcess, told: Told | "issued"): Promise<T> => {
  child.send(told);
  const [answer] = await once(child, "message");
  return answer;
};

export const startOpenIdProvider = async (people: People, redirectUris: readonly string[]): Promise<OpenIdProvider> => {
  const child = fork(join(import.meta.dirname, "openid-provider-child.ts"), {
    execArgv: [],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const { issuer } = await tell<{ readonly issuer: string }>(child, { people, redirectUris });
  return {
    close: async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
    issued: () => tell(child, "issued"),
    issuer,
    setPeople: async (now) => {
      await tell(child, { people: now });
    },
  };
};
