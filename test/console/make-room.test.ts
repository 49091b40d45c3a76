// How a walk makes room for whoever uses the page: it waits behind a page while somebody acts, never for good, and not
// at all where nobody does.

import assert from "node:assert/strict";
import { test } from "node:test";
import { roomMaker } from "../../src/console/verify/make-room.ts";

const passed = async (waited: Promise<void>): Promise<boolean> => {
  let isOver = false;
  void waited.then(() => {
    isOver = true;
  });
  for (let turns = 0; turns < 5; turns += 1) await Promise.resolve();
  return isOver;
};

test("a walk that nobody disturbs never waits", async () => {
  const { pause } = roomMaker();
  assert.ok(await passed(pause()));
});

test("behind what somebody did a page is waited for, and half a second later no more", async ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { noteAct, pause } = roomMaker();
  noteAct();
  const waited = pause();
  assert.ok(!(await passed(waited)));
  mock.timers.tick(25);
  assert.ok(await passed(waited));
  mock.timers.tick(474);
  const last = pause();
  assert.ok(!(await passed(last)));
  mock.timers.tick(1);
  assert.ok(await passed(pause()));
});

test("the half second begins anew with everything that somebody does", async ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { noteAct, pause } = roomMaker();
  noteAct();
  mock.timers.tick(400);
  noteAct();
  mock.timers.tick(200);
  assert.ok(!(await passed(pause())));
  mock.timers.tick(300);
  assert.ok(await passed(pause()));
});

test("whoever goes on typing slows a walk, and does not stop it", async ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { noteAct, pause } = roomMaker();
  let pages = 0;
  for (let key = 0; key < 100; key += 1) {
    noteAct();
    const waited = pause();
    mock.timers.tick(25);
    pages += (await passed(waited)) ? 1 : 0;
  }
  assert.equal(pages, 100);
});
