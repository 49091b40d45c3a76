// Command lines that need nothing from what was printed before: each command to an answer, then to an error.

type Words = readonly (readonly string[])[];

/** At a cluster whose desired state is registered. */
export const BEFORE_PLANS: Words = [
  ["init", "second", "--operator", "alice"],
  ["init", ".", "--operator", "alice"],
  ["register", "--env", "home", "desired.yaml"],
  ["register", "--env", "home", "none.yaml"],
  ["observe", "--env", "home", "--out", "current.json"],
  ["observe", "--env", "nowhere"],
  ["import", "--env", "home", "--out", "imported.yaml"],
  ["import", "--out", "imported.yaml"],
  ["drift"],
  ["drift", "--env", "nowhere"],
  ["list"],
  ["list", "--env", "nowhere"],
  ["whoami"],
  ["whoami", "--config", "none.yaml"],
  ["rules"],
  ["rules", "N1"],
  ["rules", "N99"],
  ["completion", "bash"],
  ["completion", "cmd"],
  ["doctor"],
  ["doctor", "--env", "home"],
  ["audit", "--desired", "desired.yaml", "--replay", "current.json"],
  ["audit", "--desired", "none.yaml", "--replay", "current.json"],
  ["plan", "--desired", "desired.yaml", "--replay", "current.json", "--out", "plan.json"],
  ["plan", "--vm", "101"],
  ["explain", "plan.json", "--vm", "101"],
  ["explain", "plan.json", "--vm", "102"],
  ["explain", "plan.json", "--vm", "999"],
  ["plans", "--config", "none.yaml"],
  ["plan", "--env", "home", "--action", "shutdown", "--vm", "102"],
];

/** One VM and several, by number and by name. */
export const SHORT: Words = [
  ["start", "web-01"],
  ["start", "nobody"],
  ["start", "101", "nobody"],
  ["snapshot", "web-01", "before"],
  ["snapshot", "nobody", "before"],
  ["resize", "web-01", "--memory", "4GiB"],
  ["resize", "web-01"],
  ["reboot", "101", "102"],
  ["reboot", "nobody"],
  ["shutdown", "101"],
  ["shutdown", "nobody"],
  ["stop", "102"],
  ["stop", "103"],
  ["stop", "nobody"],
];

/** Who is known, and where. */
export const PEOPLE: readonly (readonly string[])[] = [
  ["environments"],
  ["environments", "--config", "none.yaml"],
  ["invite", "finn", "--role", "approver"],
  ["invite", "finn", "--role", "agent"],
  ["people"],
  ["people", "--config", "none.yaml"],
  ["people", "remove", "finn", "--reason", "not needed"],
  ["people", "remove", "finn", "--reason", "not needed"],
  ["token", "create", "--name", "bob", "--role", "approver", "--days", "30"],
  ["token", "create", "--name", "bob", "--role", "nobody", "--days", "30"],
  ["token", "rotate", "--name", "bob", "--days", "30"],
  ["token", "rotate", "--name", "carol", "--days", "30"],
  ["token", "list"],
  ["token", "list", "--config", "none.yaml"],
  ["token", "revoke", "--name", "bob"],
  ["token", "revoke", "--name", "bob"],
];

/** A policy that is stricter than none, both ways. */
export const STRICT = "version: 1\ntighten: [{ action: vm.start, to: refused }, { action: vm.shutdown, to: high }]\n";
export const WHAT_IF: readonly (readonly string[])[] = [
  ["whatif", "--policy", "strict.yaml"],
  ["whatif", "--policy", "strict.yaml", "--env", "home"],
  ["whatif", "--policy", "absent.yaml"],
];
