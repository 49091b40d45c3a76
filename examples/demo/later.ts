// Loaded into one process of the demo before anything else: its clock is eleven minutes ahead, as if so long had passed.
//
// Dedalus itself has no such switch. Whoever can load code into its process can do this and anything else.

const AHEAD_MS = 11 * 60_000;
const Real = globalThis.Date;

globalThis.Date = new Proxy(Real, {
  construct: (_, given: readonly unknown[]) =>
    given.length === 0 ? new Real(Real.now() + AHEAD_MS) : Reflect.construct(Real, given),
  get: (_, name) => (name === "now" ? () => Real.now() + AHEAD_MS : Reflect.get(Real, name)),
});
