// dedalus token create, revoke and list: who may ask as whom. A token is shown once; the ledger keeps its hash.

import { isName } from "../formats/fields.ts";
import { secretText } from "../ids.ts";
import { entries } from "../kernel/persistent-map.ts";
import type { Role } from "../kernel/request.ts";
import { sha256 } from "../spine/hash.ts";
import { refuse } from "../spine/refusals.ts";
import type { Run } from "./command.ts";
import { badInput, failed } from "./failure.ts";
import { reading } from "./plans.ts";
import { inSession } from "./session.ts";

const ROLES: readonly Role[] = ["observer", "operator", "approver", "auditor", "agent", "sensor"];
const isRole = (word: string): word is Role => ROLES.some((role) => role === word);

export const create: Run = async (given, io) => {
  const id = given.text.get("name") ?? "";
  const words = (given.text.get("role") ?? "").split(",").map((word) => word.trim());
  const wrong = words.find((word) => !isRole(word));
  if (!isName(id)) return badInput([refuse("usage", { because: `${JSON.stringify(id)} is no name` })]);
  if (wrong !== undefined)
    return badInput([
      refuse("usage", { because: `${JSON.stringify(wrong)} is no role`, next: `The roles are ${ROLES.join(", ")}.` }),
    ]);
  const roles = words.filter(isRole);
  const kind = roles.includes("agent") || roles.includes("sensor") ? "agent" : "person";
  return inSession(given, io, async ({ ask }) => {
    const token = `dedalus_${secretText()}`;
    const asked = await ask({ act: "create", hash: sha256(token), kind: "token", subject: { id, kind, roles } });
    if (asked.kind === "refused") return asked.outcome;
    return {
      exit: "done",
      json: { kind, name: id, roles, seq: asked.record.seq, token },
      text: () => [
        `token for ${id} (${kind}, ${roles.join(", ")}); it is shown this once:`,
        token,
        `record ${asked.record.seq}`,
      ],
    };
  });
};

export const revoke: Run = (given, io) =>
  inSession(given, io, async ({ ask, writer }) => {
    const name = given.text.get("name") ?? "";
    const found = [...entries(writer.state().tokens)].find(([, { id }]) => id === name);
    if (found === undefined) {
      return failed("refused", "kernel", [
        refuse("token-unknown", { because: `${JSON.stringify(name)} has no token` }),
      ]);
    }
    const [hash, subject] = found;
    const asked = await ask({ act: "revoke", hash: hash as ReturnType<typeof sha256>, kind: "token", subject });
    if (asked.kind === "refused") return asked.outcome;
    return {
      exit: "done",
      json: { name, seq: asked.record.seq },
      text: () => [`revoked the token of ${name}`, `record ${asked.record.seq}`],
    };
  });

export const list: Run = (given, io) =>
  reading(
    given,
    io,
    async (state) => {
      const tokens = Array.from(entries(state.tokens), ([, token]) => token).sort((a, b) => (a.id < b.id ? -1 : 1));
      return {
        exit: "done",
        json: { tokens },
        text: () =>
          tokens.length === 0
            ? ["there is no token"]
            : tokens.map(({ id, kind, roles }) => `${id}  ${kind}  ${roles.join(", ")}`),
      };
    },
    "tokens",
  );
