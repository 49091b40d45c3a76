// Where there is nothing: a browser is shown a page that says what to do, and a program the problem document.

import assert from "node:assert/strict";
import { test } from "node:test";
import { strayedInBrowser } from "../../src/boundary/serve-home.ts";
import { atDoor, refusedWith, type Said } from "./at-door.ts";

const BROWSER: Said = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" }, token: null };
const at = (t: Parameters<typeof atDoor>[0], hasSignIn: boolean) =>
  atDoor(t, {
    change: () => ({ strays: strayedInBrowser({ hasConsole: false, hasSignIn }, () => "a-word") }),
  });

test("a browser that follows a link to a service without pages is shown what to do, and a program is told", async (t) => {
  const { get } = await at(t, false);
  for (const path of ["/invitation", "/approve/nonsense", "/console/", "/sign-in"]) {
    const page = await get(path, BROWSER);
    assert.deepEqual([page.status, page.headers.get("content-type")], [404, "text/html; charset=utf-8"], path);
    assert.match(page.headers.get("content-security-policy") ?? "", /default-src 'none'/);
    assert.match(page.text, /service\.url/);
    assert.match(page.text, /restart/);
    for (const accept of ["application/json", "*/*"])
      assert.deepEqual(refusedWith(await get(path, { headers: { accept }, token: null })), [
        404,
        "request-unfit",
        "route-unknown",
      ]);
  }
});

test("what programs ask for is never a page, and a path is text on one", async (t) => {
  const { get, post } = await at(t, true);
  for (const path of ["/v1/nothing", "/v1", "/mcp/nothing"])
    assert.equal(refusedWith(await get(path, BROWSER))[1], "request-unfit", path);
  assert.equal(refusedWith(await post("/invitation", {}, BROWSER))[1], "request-unfit");
  const page = await get("/<script>alert(1)</script>", BROWSER);
  assert.equal(page.status, 404);
  assert.ok(!page.text.includes("<script"), page.text);
});

test("a console that was not built is told apart from a link that is broken", async (t) => {
  const { get } = await at(t, true);
  assert.match((await get("/console/", BROWSER)).text, /make console/);
  assert.doesNotMatch((await get("/approve/nonsense", BROWSER)).text, /make console|service\.url/);
});
