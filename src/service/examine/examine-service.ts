// What an examination says of the service that dedalus.yaml describes: where it listens, who signs in, and whether it
// could serve with its certificate. Nothing is served, and no provider of identities is asked.

import { hasName } from "../../formats/dedalus/dedalus-fields.ts";
import type { ServiceConfig } from "../../formats/dedalus/dedalus-service.ts";
import type { Ports } from "../ports.ts";
import { found, type OwnFinding } from "./finding.ts";

export const serviceFindings = async (
  home: string,
  service: ServiceConfig | undefined,
  { servedCertificate }: Pick<Ports, "servedCertificate">,
): Promise<readonly OwnFinding[]> => {
  if (service === undefined) return [];
  const { listen, oidc, tls } = service;
  const certificate = tls === undefined ? undefined : await servedCertificate(tls, home);
  const problems = certificate?.kind === "bad" ? certificate.problems : [];
  // The key is among the secret files: who may read it is told there.
  const refusals = problems.filter(({ code }) => code !== "secret-open");
  const facts = { groups: oidc?.groups.length ?? 0, issuer: oidc?.issuer ?? "", listen, url: service.url ?? "" };
  return [found("service", codeOf(service), facts, { refusals }), ...sessionsFindings(service)];
};

/** Browsers sign in where the service has an address. */
const sessionsFindings = ({ sealingKey, url }: ServiceConfig): readonly OwnFinding[] => {
  if (url === undefined) return [];
  return [found("sessions", sealingKey === undefined ? "sessions-until-restart" : "sessions-sealed", {})];
};

const codeOf = ({ oidc, url }: ServiceConfig): OwnFinding["code"] => {
  if (oidc !== undefined) return "service-signs-in";
  if (url === undefined) return "service-near";
  return hasName(url) ? "service-invites" : "service-nameless";
};
