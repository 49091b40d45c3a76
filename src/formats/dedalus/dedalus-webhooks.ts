// Whom the service tells of what happens, and in which format. What is told is signed, or sent to an address that is
// itself a secret, as those of chat rooms are; so that one is named by its place. keeps B5

import { refuse } from "../../spine/rules/refusals.ts";
import { plainly } from "../expectation.ts";
import { itemsAt, plain, type Spot, type YamlReader } from "../yaml/yaml-reader.ts";
import { type TextRule, variantAt, wordAt } from "../yaml/yaml-values.ts";
import { isEndpoint } from "./dedalus-fields.ts";
import { type SecretRef, secretAt, verifiedAt } from "./dedalus-guards.ts";
import { eachOnce } from "./dedalus-oidc.ts";

const WEBHOOK_EVENTS = ["approval-requested", "outcome"] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export type WebhookConfig =
  | {
      readonly events: readonly WebhookEvent[];
      readonly format: "standard";
      /** What its messages are signed with. */
      readonly secret: SecretRef;
      readonly url: string;
    }
  | {
      readonly events: readonly WebhookEvent[];
      readonly format: "slack";
      /** Where its address is. */
      readonly url: SecretRef;
    };

/** Without it nothing can be told to a receiver. */
export const webhookSecret = (webhook: WebhookConfig): SecretRef =>
  webhook.format === "slack" ? webhook.url : webhook.secret;

const FORMATS = { by: "format", common: ["url", "events"], of: { slack: [], standard: ["secret"] } } as const;
const ENDPOINT: TextRule = { expected: plainly("endpoint"), is: isEndpoint };

export const webhooksAt = (reader: YamlReader, spot: Spot): readonly WebhookConfig[] | undefined => {
  const items = itemsAt(reader, spot);
  if (items === undefined) return undefined;
  if (items.length === 0) reader.report(spot, refuse("value-wrong", { cause: "list-empty" }));
  const webhooks = items.flatMap((item) => webhookAt(reader, item) ?? []);
  return webhooks.length === items.length ? webhooks : undefined;
};

const webhookAt = (reader: YamlReader, spot: Spot): WebhookConfig | undefined => {
  const variant = variantAt(reader, spot, FORMATS);
  if (variant === undefined) return undefined;
  const { fields, word: format } = variant;
  const events = eachOnce(reader, fields.get("events"), (item) => wordAt(reader, item, WEBHOOK_EVENTS));
  if (format === "slack") {
    const url = hiddenAt(reader, fields.get("url"));
    return events === undefined || url === undefined ? undefined : { events, format, url };
  }
  const secret = secretAt(reader, fields.get("secret"));
  const url = format === undefined ? undefined : verifiedAt(reader, fields.get("url"), ENDPOINT);
  if (events === undefined || format === undefined || secret === undefined || url === undefined) return undefined;
  return { events, format, secret, url };
};

const hiddenAt = (reader: YamlReader, spot: Spot | undefined): SecretRef | undefined => {
  if (spot === undefined || typeof plain(spot) !== "string") return secretAt(reader, spot);
  reader.report(spot, refuse("secret-inline", { cause: "webhook" }));
  return undefined;
};
