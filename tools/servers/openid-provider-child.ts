// A real OpenID provider as a process of its own, whose people sign in by saying who they are. Its parent says who
// they are and where it may send them back to, and may say so again while it runs.

import { createServer, type RequestListener } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { CLIENT, type Person, type TokensIssued, type Told } from "./openid-provider.ts";

/** The package brings no types. */
type ProviderOf = new (
  issuer: string,
  configuration: object,
) => {
  readonly callback: () => RequestListener;
  readonly on: (event: "grant.success", hear: (context: { readonly body: TokensIssued }) => void) => void;
};
const { default: Provider }: { readonly default: ProviderOf } = createRequire(import.meta.url)("oidc-provider");

let people = new Map<string, Person>();
const issued: TokensIssued[] = [];

const serve = (redirectUris: readonly string[]): void => {
  const server = createServer();
  server.listen(0, "127.0.0.1", () => {
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const provider = new Provider(issuer, {
      claims: { groups: ["groups"], openid: ["sub"], profile: ["preferred_username"] },
      clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: redirectUris }],
      cookies: { keys: ["a key of the cookies"] },
      findAccount: (_: unknown, sub: string) => {
        const person = people.get(sub);
        const claims = () => ({ groups: person?.groups, preferred_username: person?.name, sub });
        return person === undefined ? undefined : { accountId: sub, claims };
      },
      pkce: { required: () => true },
      scopes: ["openid", "profile", "groups"],
    });
    provider.on("grant.success", ({ body: { access_token, id_token } }) => issued.push({ access_token, id_token }));
    server.on("request", provider.callback());
    process.send?.({ issuer });
  });
};

process.on("message", (told: Told | "issued") => {
  if (told === "issued") return void process.send?.(issued);
  people = new Map(Object.entries(told.people));
  if (told.redirectUris === undefined) process.send?.({ told: true });
  else serve(told.redirectUris);
});
process.on("disconnect", () => process.exit());
