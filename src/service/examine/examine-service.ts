// What an examination says of the service that dedalus.yaml describes: where it listens, who signs in, and whether its
// certificate can be read. Nothing is served, and no provider of identities is asked.

import { resolve } from "node:path";
import { hasName } from "../../formats/dedalus/dedalus-fields.ts";
import type { ServiceConfig } from "../../formats/dedalus/dedalus-service.ts";
import { readText } from "../named-file.ts";
import { found, type OwnFinding } from "./finding.ts";

export const serviceFindings = (home: string, service: ServiceConfig | undefined): readonly OwnFinding[] => {
  if (service === undefined) return [];
  const { listen, oidc, tls } = service;
  // The key is among the secret files, and examined with them.
  const certificate = tls === undefined ? undefined : readText(home, resolve(home, tls.certificate));
  const refusals = certificate?.kind === "bad" ? certificate.problems : [];
  const facts = { groups: oidc?.groups.length ?? 0, issuer: oidc?.issuer ?? "", listen, url: service.url ?? "" };
  return [found("service", codeOf(service), facts, { refusals })];
};

const codeOf = ({ oidc, url }: ServiceConfig): OwnFinding["code"] => {
  if (oidc !== undefined) return "service-signs-in";
  if (url === undefined) return "service-near";
  return hasName(url) ? "service-invites" : "service-nameless";
};
