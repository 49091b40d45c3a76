// What `make up` brings up, for whoever looks at it by a program: started, its address, a person signed in, and ended
// as Ctrl-C does.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { ROOT } from "../sources.ts";

export type BroughtUp = {
  /** The public key of the ledger, as it was printed. */
  readonly key: string;
  /** Where the console is. */
  readonly url: string;
  /** Its exit code. */
  readonly stop: () => Promise<number | null>;
};

/** `folder` is made anew. The console is built before. */
export const bringUp = async (folder: string): Promise<BroughtUp> => {
  const child = spawn(process.execPath, [join(ROOT, "examples/up/up.ts"), folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  let said = "";
  for await (const piece of child.stdout) {
    said += piece;
    if (said.includes("Ctrl-C ends it.")) break;
  }
  const [url] = /http:\/\/localhost:\d+\/console\//.exec(said) ?? [];
  const [, key] = /public key .*: (\S+)$/m.exec(said) ?? [];
  if (url === undefined || key === undefined) throw new Error(`nothing was brought up:\n${said}`);
  const stop = async (): Promise<number | null> => {
    child.kill("SIGINT");
    const [code]: readonly (number | null)[] = await exited;
    return code ?? null;
  };
  return { key, stop, url };
};

/** As it says itself: by a name, with any password. */
export const signInAs = async (page: Page, url: string, name: string): Promise<void> => {
  await page.goto(url);
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.locator("input[name=login]").fill(name);
  await page.locator("input[name=password]").fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL(url);
};
