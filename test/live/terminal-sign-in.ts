// A person who signs in for a terminal: told where, they sign in at the provider of identities, compare the code, and
// answer.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cookieJar, signInAt } from "../boundary/identity/cookie-jar.ts";
import { atDesk, type Printed } from "../cli/desk.ts";

type Answer = "no" | "yes";

/** What a person does: opens the address, signs in, compares the code, and says yes or no. */
const answerAt = async (origin: string, sub: string, told: string, answer: Answer): Promise<void> => {
  const address = /^ {2}(http\S+)$/m.exec(told)?.[1] ?? assert.fail(told);
  const code = /^ {2}code (\S+)$/m.exec(told)?.[1] ?? assert.fail(told);
  const jar = cookieJar();
  const isBack = (url: URL): boolean => url.href.startsWith(`${origin}/sign-in/callback`);
  const page = await jar.get(await signInAt(jar, address, sub, isBack));
  assert.ok(page.body.includes(code), page.body);
  const flow = /name="flow" value="([^"]*)"/.exec(page.body)?.[1] ?? assert.fail(page.body);
  await jar.post(`${origin}/sign-in/terminal`, { answer, flow });
};

type Desk = { readonly dedalus: (...argv: readonly string[]) => Promise<Printed>; readonly folder: string };

/** A desk whose person answers as soon as they are told where; its sessions are kept in its own folder. */
export const atTerminal = (
  { answer, origin, sub }: { readonly answer: Answer; readonly origin: string; readonly sub: string },
  work: (desk: Desk) => Promise<void>,
): Promise<void> => {
  const stop = new AbortController();
  let told = "";
  return atDesk(
    {},
    async (dedalus, folder) => {
      process.env["XDG_CONFIG_HOME"] = folder;
      try {
        await work({ dedalus, folder });
      } finally {
        delete process.env["XDG_CONFIG_HOME"];
      }
    },
    {
      err: (text) => {
        told += text;
        if (!/^ {2}code \S+$/m.test(told)) return;
        const shown = told;
        told = "";
        void answerAt(origin, sub, shown, answer).then(() => {
          if (answer === "no") stop.abort();
        });
      },
      interrupted: () => stop.signal,
    },
  );
};

export const sessionsIn = (folder: string): string => join(folder, "dedalus/sessions");

/** The token of a session that somebody signed in for. */
export const sessionOf = async (origin: string, sub: string): Promise<string> => {
  let token = "";
  await atTerminal({ answer: "yes", origin, sub }, async ({ dedalus, folder }) => {
    const { code, err } = await dedalus("--server", origin, "login");
    assert.equal(code, 0, err);
    const [file = ""] = readdirSync(sessionsIn(folder));
    token = readFileSync(join(sessionsIn(folder), file), "utf8").trim();
  });
  return token;
};
