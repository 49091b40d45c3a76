// Loaded into processes of the demo before anything else: their clock is eleven minutes ahead, as if so long had
// passed. The simulated cluster gets there on a signal, because it began before.
//
// Dedalus itself has no such switch. Whoever can load code into its process can do this and anything else.

const AHEAD_MS = 11 * 60_000;
const Real = globalThis.Date;

let aheadMs = process.env["DEMO_LATER"] === "on-signal" ? 0 : AHEAD_MS;
process.on("SIGUSR2", () => {
  aheadMs = AHEAD_MS;
});

globalThis.Date = new Proxy(Real, {
  construct: (_, given: readonly unknown[]) =>
    given.length === 0 ? new Real(Real.now() + aheadMs) : Reflect.construct(Real, given),
  get: (_, name) => (name === "now" ? () => Real.now() + aheadMs : Reflect.get(Real, name)),
});
