// Who can be named: people and agents, by names that no two of them can share or be mistaken for. Keeps B2.
//
// Lower-case ASCII and single separators: what looks the same is the same, in every script and on every terminal.
// Not here: whether somebody of that name may ask (kernel/decide/actors.ts).

/** As a text, because schemas/dedalus.schema.json says the same one and a test compares them. */
export const SUBJECT_PATTERN = "^(?=.{1,64}$)[a-z][a-z0-9]*(?:[._-][a-z0-9]+)*$";

/** The kernel speaks for itself under this name, and nobody else does. */
export const KERNEL_ID = "dedalus";
/** Names that would make an account of who acted say nothing, or name the kernel. */
export const RESERVED_SUBJECTS: readonly string[] = ["anonymous", KERNEL_ID, "nobody", "unknown"];

const expression = new RegExp(SUBJECT_PATTERN, "u");

export const isSubject = (value: unknown): value is string =>
  typeof value === "string" && expression.test(value) && !RESERVED_SUBJECTS.includes(value);
