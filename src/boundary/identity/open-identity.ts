// What a door needs so that people can sign in at it: the pages, and the credential of a browser.
//
// The provider's address, the client's secret and the map of groups are read for each sign-in, so that what was rotated
// or edited is used; the key that seals is read once. Not here: the door (boundary/http/door.ts). Keeps B2, B5.

import type { OidcConfig } from "../../formats/dedalus/dedalus-oidc.ts";
import type { Configuration, Ids, ServiceClock } from "../../service/ports.ts";
import type { DoorActs, Service } from "../../service/service.ts";
import type { Refusal } from "../../spine/model.ts";
import { CALLER_LIMITS, type CallerGate } from "../http/caller-limits.ts";
import type { DoorGiven } from "../http/door-given.ts";
import { sendRefused } from "../http/reply-answer.ts";
import { browserCredential } from "./browser-credential.ts";
import { sealerOf } from "./browser-seal.ts";
import type { IdentityDesk, WebRoutes } from "./identity-desk.ts";
import { CALLBACK_PATH, serveIdentity } from "./identity-routes.ts";
import { peopleCallsOf } from "./people-calls.ts";
import { type RelyingParty, relyingPartyOf } from "./relying-party.ts";
import { sessionCookies } from "./session-cookie.ts";
import { spentChallenges } from "./spent-challenges.ts";

export type IdentityGiven = {
  readonly clock: Pick<ServiceClock, "now">;
  /** The configuration as it is written now; undefined where it cannot be used. */
  readonly configured: () => Configuration | undefined;
  readonly gate: CallerGate;
  readonly ids: Ids;
  /** Pages of others, for people who signed in here. */
  readonly more: WebRoutes;
  /** The key that seals, as it is configured; undefined where none is. */
  readonly sealingKey: string | undefined;
  /** The client's secret as it is now; undefined where there is none. */
  readonly secret: (of: OidcConfig) => string | Refusal | undefined;
  readonly service: DoorActs & Pick<Service, "signOut" | "whoami">;
};

/** Undefined where the configuration names no address under which browsers find the service. */
export const openIdentity = (given: IdentityGiven): Pick<DoorGiven, "pages" | "shownOtherwise"> | undefined => {
  const { clock, configured, gate, ids, service } = given;
  const served = configured()?.config.service;
  if (served?.url === undefined) return undefined;
  const { sessions, url: origin } = served;
  const key = given.sealingKey ?? ids.secretText();
  const sealer = sealerOf(key, ids.secretText);
  const cookies = sessionCookies(sealer, key, sessions.idleMinutes);
  const partyNow = (): RelyingParty | undefined => {
    const oidc = configured()?.config.service?.oidc;
    if (oidc === undefined) return undefined;
    const clientSecret = given.secret(oidc);
    // Without its secret it is no client: `doctor` says where it should be.
    if (typeof clientSecret === "object") return undefined;
    const { clientId, groupsClaim, issuer, nameClaim } = oidc;
    const redirectUri = `${origin}${CALLBACK_PATH}`;
    const party = { clientId, groupsClaim, issuer, nameClaim, redirectUri };
    return relyingPartyOf(clientSecret === undefined ? party : { ...party, clientSecret });
  };
  const desk: IdentityDesk = {
    calls: peopleCallsOf(service, ids.ulids()),
    cookies,
    hasProvider: () => {
      const now = configured();
      return now === undefined || now.config.service?.oidc !== undefined;
    },
    now: clock.now,
    origin,
    partyNow,
    publicId: ids.publicId,
    sealer,
    secretText: ids.secretText,
    spend: spentChallenges(clock.now),
  };
  return {
    pages: serveIdentity({
      desk,
      enter: (visitor) => {
        const admission = gate.enter(visitor, CALLER_LIMITS.unknown);
        return "refusals" in admission ? admission : { leave: () => admission.leave("untold") };
      },
      more: given.more,
      sendRefused,
    }),
    shownOtherwise: browserCredential(cookies, clock.now),
  };
};
