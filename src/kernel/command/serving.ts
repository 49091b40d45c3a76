// What rules at the service door: everything of a configuration by which two instances could answer differently. They
// share it, or one of them stops writing (decide/serving-instance.ts).
//
// What is an instance's own is not in it: where it listens, its anchor and keys, whom it tells. keeps P7-A2

import type { Sha256 } from "../../spine/model.ts";
import { canonical, type Json } from "../../spine/values/canonical.ts";
import { sha256 } from "../../spine/values/hash.ts";
import type { RecordedConfig, RecordedService } from "./recorded-config.ts";

export const servingDigest = ({ environments, service }: RecordedConfig): Sha256 => {
  const { sessions = null } = service ?? {};
  return sha256(canonical({ environments, oidc: service?.oidc === undefined ? null : ruling(service.oidc), sessions }));
};

/** Where its secret is, is each instance's own. */
const ruling = ({ clientSecret: _place, ...oidc }: NonNullable<RecordedService["oidc"]>): Json => oidc;
