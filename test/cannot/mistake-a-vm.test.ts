// N8 and B3: a VM of another name, another identity or another environment is not the one that was meant.

import { cannot } from "../cannot.ts";
import { coded, look, meeting, refusalsIn, state, wantRunning } from "../spine/world.ts";

cannot("N8", "act on a VM of another name", {
  neighbour: () => meeting(wantRunning({ name: "web-01" }), state({ name: "web-01", status: "stopped" })),
  offence: () =>
    coded("name-mismatch", meeting(wantRunning({ name: "web-01" }), state({ name: "web-02", status: "stopped" }))),
});

cannot("N8", "take two spellings of a name for one", {
  neighbour: () => meeting(wantRunning(), state()),
  offence: () => coded("name-mismatch", meeting(wantRunning(), state({ name: "Web-01" }))),
});

cannot("N8", "act on a VM of another identity", {
  neighbour: () => meeting(wantRunning({ identity: "uuid-a" }), state({ identity: "uuid-a" })),
  offence: () =>
    coded("identity-mismatch", meeting(wantRunning({ identity: "uuid-a" }), state({ identity: "uuid-b" }))),
});

cannot("N8", "act on a VM that does not show the identity that is demanded", {
  neighbour: () => meeting(wantRunning(), state()),
  offence: () => coded("identity-not-seen", meeting(wantRunning({ identity: "uuid-a" }), state())),
});

cannot("B3", "use the observation of another environment", {
  neighbour: () => refusalsIn({ environment: "home", observation: look([state()]), wishes: [wantRunning()] }),
  offence: () =>
    coded(
      "environment-mismatch",
      refusalsIn({
        environment: "home",
        observation: look([state()], { environment: "cloud" }),
        wishes: [wantRunning()],
      }),
    ),
});

cannot("B3", "clear a plan that was made from another environment's look", {
  neighbour: () => refusalsIn({ environment: "home", observation: look([state()]), wishes: [wantRunning()] }),
  offence: () =>
    coded(
      "look-foreign",
      refusalsIn({
        environment: "home",
        observation: look([state()], { environment: "cloud" }),
        wishes: [wantRunning()],
      }),
    ),
});
