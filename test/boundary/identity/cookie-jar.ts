// A browser without pages: keeps cookies by origin, follows redirects as far as it is told, and posts the forms it
// is shown.

export type Visited = { readonly body: string; readonly location?: string; readonly status: number; readonly url: URL };
export type CookieJar = {
  /** As a browser would send them there. */
  readonly cookies: (origin: string) => string;
  /** Follows redirects until one leads where `until` says, which is then not visited. */
  readonly get: (url: string, until?: (url: URL) => boolean) => Promise<Visited>;
  readonly post: (
    url: string,
    form: Readonly<Record<string, string>>,
    until?: (url: URL) => boolean,
  ) => Promise<Visited>;
};

const REDIRECTS_MAX = 10;

const cookieHeader = (cookies: ReadonlyMap<string, string> = new Map()): string =>
  Array.from(cookies, ([name, value]) => `${name}=${value}`).join("; ");

export const cookieJar = (): CookieJar => {
  const kept = new Map<string, Map<string, string>>();
  const visit = async (
    url: URL,
    init: RequestInit,
    until: (url: URL) => boolean,
    left = REDIRECTS_MAX,
  ): Promise<Visited> => {
    const cookies = kept.get(url.origin) ?? new Map<string, string>();
    kept.set(url.origin, cookies);
    const cookie = cookieHeader(cookies);
    const response = await fetch(url, { ...init, headers: { ...init.headers, cookie }, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/expires=Thu, 01 Jan 1970|max-age=0/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    const to = response.headers.get("location");
    const body = await response.text();
    if (to === null) return { body, status: response.status, url };
    const next = new URL(to, url);
    if (until(next) || left === 0) return { body, location: next.href, status: response.status, url };
    return visit(next, {}, until, left - 1);
  };
  const never = (): boolean => false;
  return {
    cookies: (origin) => cookieHeader(kept.get(origin)),
    get: (url, until = never) => visit(new URL(url), {}, until),
    post: (url, form, until = never) => {
      const body = new URLSearchParams(form);
      return visit(new URL(url), { body, headers: { origin: new URL(url).origin }, method: "POST" }, until);
    },
  };
};

/** Signs in at the provider's own pages, and agrees to what they ask; gives where it sends the browser back to. */
export const signInAt = async (
  jar: CookieJar,
  address: string,
  login: string,
  isBack: (url: URL) => boolean,
): Promise<string> => {
  let page = await jar.get(address, isBack);
  for (let asked = 0; page.location === undefined; asked += 1) {
    const [, action = ""] = /<form[^>]*action="([^"]+)"/.exec(page.body) ?? [];
    const [, prompt = ""] = /name="prompt" value="([^"]+)"/.exec(page.body) ?? [];
    if (action === "" || asked > 3) throw new Error(`no form at ${page.url.href}: ${page.body.slice(0, 200)}`);
    const form = prompt === "login" ? { login, password: "any", prompt } : { prompt };
    page = await jar.post(new URL(action, page.url).href, form, isBack);
  }
  return page.location;
};
