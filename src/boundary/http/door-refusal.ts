// What the door refuses by itself, as the service's own answers, so that one way of telling serves all.

import { type RefusedAnswer, refusedBy } from "../../service/answer.ts";
import { type About, refuse } from "../../spine/rules/refusals.ts";

export const unfitRequest = (about: About<"request-unfit">): RefusedAnswer => refusedBy(refuse("request-unfit", about));

export const limited = (about: About<"caller-limited">): RefusedAnswer => refusedBy(refuse("caller-limited", about));

export const unauthenticated = (): RefusedAnswer => refusedBy(refuse("actor-unknown", { cause: "token-absent" }));

/** A token where a browser's session is asked for. */
export const bearerAtPage = (): RefusedAnswer => refusedBy(refuse("actor-unknown", { cause: "page" }));

/** The service ends: what is asked now is asked of another one, or later. */
export const ending = (): RefusedAnswer => refusedBy(refuse("service-ending", {}));
