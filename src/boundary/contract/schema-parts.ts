// What requests are made of, as schemas: closed objects, no value converted, none filled in. The same schemas check
// what comes in and describe it in the OpenAPI file.

import { type TProperties, Type } from "typebox";
import { TOKEN_ROLES } from "../../kernel/command/roles.ts";
import type { PlainActionKind, SnapshotActionKind } from "../../spine/model.ts";
import { VMID_MAX } from "../../spine/model.ts";

/** Strict: what is not named is refused, never dropped. */
export const closed = <P extends TProperties>(properties: P, description = "") =>
  Type.Object(properties, { additionalProperties: false, ...(description !== "" && { description }) });

const WORD_MAX = 1_000;
export const said = (description: string) => Type.String({ description, maxLength: WORD_MAX, minLength: 1 });
export const seq = (description: string) => Type.Integer({ description, maximum: Number.MAX_SAFE_INTEGER, minimum: 0 });

export const ENVIRONMENT_NAME_SCHEMA = Type.String({
  description: "The environment; the only one where none is named.",
  pattern: "^[a-z][a-z0-9-]{0,62}$",
});
export const PLAN_WORD_SCHEMA = said("A plan: its id, the beginning of one, or latest.");
export const REASON_SCHEMA = said("Why, on one line; it is recorded.");
export const DIGEST_SCHEMA = Type.String({
  description: "A SHA-256 in 64 small hexadecimal digits.",
  pattern: "^[0-9a-f]{64}$",
});
export const ULID_SCHEMA = Type.String({
  description: "A ULID: 26 digits of Crockford's base 32.",
  pattern: "^[0-7][0-9A-HJKMNP-TV-Z]{25}$",
});

/** As the header of a request takes it: the same key in either spelling is the same key. */
export const KEY_SCHEMA = Type.String({
  description: "The key of a request: a ULID, or a UUIDv7.",
  pattern:
    "^(?:[0-7][0-9A-HJKMNP-TV-Z]{25}|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-7[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12})$",
});

const VMID_SCHEMA = Type.Integer({ description: "A VM's number in its environment.", maximum: VMID_MAX, minimum: 1 });
export const VM_WORD_SCHEMA = said("A VM: its number or its name.");
export const VM_REF_SCHEMA = Type.Union([VMID_SCHEMA, VM_WORD_SCHEMA], {
  description: "A VM: its number, or a word that is resolved.",
});

const STEP_NUMBER = {
  number: Type.Integer({ description: "Counted from 1.", maximum: Number.MAX_SAFE_INTEGER, minimum: 1 }),
};
export const STEP_NUMBER_SCHEMA = closed(STEP_NUMBER, 'A step of the plan, by its number: {"number": 1}.');
export const STEP_SCHEMA = Type.Union([closed(STEP_NUMBER), closed({ vmid: VM_REF_SCHEMA })], {
  description: 'A step of the plan, by its number or by its VM: {"number": 1}, {"vmid": 101} or {"vmid": "web-01"}.',
});

/** A text that an operator wrote; `file` is what problems name beside their place in it. */
export const document = (description: string) =>
  closed({ file: said("What the text is called in problems."), text: Type.String({ description }) });

const PLAIN: readonly PlainActionKind[] = [
  "vm.delete",
  "vm.reboot",
  "vm.reset",
  "vm.resume",
  "vm.shutdown",
  "vm.start",
  "vm.stop",
  "vm.suspend",
];
const SNAPSHOT: readonly SnapshotActionKind[] = ["vm.snapshot.create", "vm.snapshot.delete", "vm.snapshot.rollback"];
const COUNT = { maximum: Number.MAX_SAFE_INTEGER, minimum: 1 };

export const ACTION_SCHEMA = Type.Union(
  [
    closed({ kind: Type.Enum([...PLAIN]) }),
    closed({
      cpus: Type.Optional(Type.Integer(COUNT)),
      kind: Type.Literal("vm.resize"),
      memory: Type.Optional(Type.Integer({ ...COUNT, description: "In bytes." })),
    }),
    closed({ kind: Type.Enum([...SNAPSHOT]), snapshot: said("Its name.") }),
    closed({ kind: Type.Literal("vm.clone"), name: said("Of the new VM."), to: VMID_SCHEMA }),
    closed({ kind: Type.Literal("vm.migrate"), node: said("Where to.") }),
  ],
  { description: "One action of the closed catalogue." },
);

export const ROLES_SCHEMA = Type.Array(Type.Enum([...TOKEN_ROLES]), {
  description: "What the subject may ask for.",
  maxItems: 6,
});
export const GRANTED_IN_SCHEMA = Type.Union(
  [Type.Literal("all"), Type.Array(ENVIRONMENT_NAME_SCHEMA, { maxItems: 100, minItems: 1 })],
  { description: "Where the roles hold: in all environments, or in these." },
);
export const DAYS_SCHEMA = Type.Integer({ description: "How long it lasts, in days.", ...COUNT });
