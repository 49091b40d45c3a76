// The words of the adapter's own catalogue: every code has them, and they name facts and nothing else.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PROXMOX_WORDS } from "../../../src/adapters/proxmox/words.ts";
import { filled, filledWithSaid } from "../../../src/spine/words/template.ts";

test("what to do is said of codes that can be found", () => {
  assert.deepEqual(
    Object.keys(PROXMOX_WORDS.next).filter((code) => !Object.hasOwn(PROXMOX_WORDS.found, code)),
    [],
  );
});

test("a finding is rendered from its facts, lists and quotations included", () => {
  assert.equal(
    filled(PROXMOX_WORDS.found["actions-taken"], {
      actions: ["vm.stop"],
      denied: ["a@pve@/vms/1", "@ops@/"],
      missing: ["z@/vms/1"],
    }),
    "not everywhere: stop; missing: z on /vms/1; taken away by NoAccess of a@pve on /vms/1, @ops on /",
  );
  assert.equal(
    filledWithSaid(PROXMOX_WORDS.found["token-not-accepted"], { said: "401 no", token: "a@pve!b" }),
    "a@pve!b is not accepted: 401 no",
  );
  assert.equal(
    filled(PROXMOX_WORDS.next["version-unsupported"], { supported: [8, 9] }),
    "This adapter is made for Proxmox VE 8, 9.",
  );
});
