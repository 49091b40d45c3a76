// Looking at the console: every page, however it is come to, does nothing, and asks for nothing by itself.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { Route } from "playwright-core";
import { cannot, type Objection } from "../../cannot.ts";
import { until } from "../../service/bound.ts";
import { type Came, decide, nothingCame, once, pathsOfPages, recorded, stage } from "./rule-stage.ts";
import { type PageWalked, walked } from "./walk.ts";

/** Somebody pressed: the neighbour of all that is only looking. */
const pressed = once(async () => {
  const { came, newStep, open } = stage();
  const page = await open((await newStep()).path);
  return came(async () => {
    await decide(page, "Approve");
    await recorded(page).waitFor();
  });
});

/** What came of one part of the walk, on all pages together. */
const allOf = async (part: (page: PageWalked) => Came): Promise<Came> => {
  const parts = (await walked()).pages.map(part);
  return { records: parts.flatMap(({ records }) => records), sent: parts.flatMap(({ sent }) => sent) };
};

const LOOKING: Readonly<Record<string, () => Promise<Came>>> = {
  "asking for the address of a page before anybody opens it": async () => {
    const { at, came, newStep, page } = stage();
    const paths = Object.values(pathsOfPages((await newStep()).plan));
    const { request } = page.context();
    return came(async () => {
      for (const path of paths) {
        const url = `${at.origin}${path}`;
        await request.head(url);
        await request.get(url, { headers: { purpose: "prefetch", "sec-purpose": "prefetch;prerender" } });
        assert.equal((await request.get(url)).status(), 200, url);
      }
    });
  },
  "Enter in a field of a page": () => allOf(({ entered }) => entered),
  "going back and forth through the pages": async () => (await walked()).returned,
  "opening, leaving, coming back to or reloading a page": () => allOf(({ opened }) => opened),
  "the keys that press what has the focus when a page has come": () => allOf((page) => page.pressed),
};

for (const [what, look] of Object.entries(LOOKING))
  cannot("P7-A1", `act in the console by ${what}`, {
    neighbour: async () => nothingCame("P7-A1", await pressed()),
    offence: async () => nothingCame("P7-A1", await look()),
  });

const KEYS = [
  ..."abcdefhijklmnopqrstuvwxyz0123456789",
  ..."?/.,;!",
  ...["Escape", "Enter", "Space", "Delete", "Backspace", "Control+Enter", "Alt+Enter", "Shift+Enter", "Meta+Enter"],
  ...["ArrowDown", "ArrowUp", "PageDown", "Home", "End"],
];

cannot("P7-A1", "act by a key on a page whose acts are open", {
  neighbour: async () => nothingCame("P7-A1", await pressed()),
  offence: async () => {
    const { came, newStep, open } = stage();
    const { path } = await newStep();
    const page = await open(path);
    await page.getByLabel("Reason").fill("typed, and nothing pressed");
    return nothingCame(
      "P7-A1",
      await came(async () => {
        await page.locator("main").focus();
        for (const key of KEYS) {
          await page.keyboard.press(key);
          if (key === "?") await page.keyboard.press("Escape");
        }
        assert.equal(new URL(page.url()).pathname, path, "still the page whose acts are open");
      }),
    );
  },
});

cannot("P7-A1", "act when the event stream ends and begins again", {
  neighbour: async () => nothingCame("P7-A1", await pressed()),
  offence: async () => {
    const { came, newStep, open, page } = stage();
    const { path } = await newStep();
    let times = 0;
    const cut = async (route: Route): Promise<void> => {
      times += 1;
      const news = `retry: 20\nid: ${9_000 + times}\nevent: record\ndata: {}\n\n`;
      await route.fulfill({ body: news, contentType: "text/event-stream" });
    };
    await page.route("**/v1/events*", cut);
    try {
      const heard = await came(async () => {
        await open(path);
        await page.getByLabel("Reason").fill("typed, and nothing pressed");
        await until("several streams", () => times > 3);
        await page.getByText("more records than this page shows").waitFor();
      });
      assert.equal(await page.getByLabel("Reason").inputValue(), "typed, and nothing pressed");
      return nothingCame("P7-A1", heard);
    } finally {
      await page.unroute("**/v1/events*", cut);
    }
  },
});

/** An objection where nothing at all was asked for. */
const nothingAsked = ({ records, sent }: Came): readonly Objection[] =>
  sent.length + records.length === 0 ? [{ rule: "P7-S1" }] : [];

cannot("P7-S1", "do anything on a page that is left alone for a day", {
  neighbour: async () => {
    const { came, newStep, open } = stage();
    const page = await open((await newStep()).path);
    return nothingAsked(await came(() => page.getByRole("button", { name: "Refresh" }).click()));
  },
  offence: async () => nothingAsked(await allOf(({ alone }) => alone)),
});

const SCOPE = readFileSync(new URL("../../../docs/SCOPE.md", import.meta.url), "utf8");
const LISTED = Array.from(
  SCOPE.matchAll(/^\| `(GET|POST|DELETE|PUT) ([^`]+)`/gm),
  ([, method = "", path = ""]) =>
    new RegExp(
      `^${method} ${path
        .replaceAll(/[.?+^$()[\]\\]/g, "\\$&")
        .replaceAll("*", ".*")
        .replaceAll(/\{[a-z]+\}/g, "[^/]+")}$`,
    ),
);

const beyondScope = (sent: readonly string[]): readonly Objection[] =>
  sent.filter((one) => !LISTED.some((row) => row.test(one))).map((one) => ({ rule: "P7-S3", sent: one }));

cannot("P7-S3", "ask from a page for what the scope does not list", {
  neighbour: async () => {
    const { sent } = await allOf(({ opened }) => opened);
    assert.ok(sent.length > 20, sent.join());
    return beyondScope([...sent, ...(await pressed()).sent]);
  },
  offence: async () => beyondScope([...(await pressed()).sent, "POST /v1/plans/latest/apply-all"]),
});
