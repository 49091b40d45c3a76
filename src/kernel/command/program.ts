// What this program says of itself when it starts, and whenever it brings its configuration: its rules, the contract
// that it serves, the words that it shows. keeps G7

import { CONTRACT_SHA256 } from "../../spine/rules/contract.ts";
import { RULES_VERSION } from "../../spine/rules/rules-version.ts";
import { OWN_WORDS } from "../../spine/words/own-words.ts";
import type { RecordedConfig } from "./recorded-config.ts";
import type { Bringing, Command, RequestOf } from "./request.ts";
import { servingDigest } from "./serving.ts";

export const bringing = (config: RecordedConfig, version: string): Bringing => ({
  config,
  rules: RULES_VERSION,
  version,
});

export const startRequest = (config: RecordedConfig, version: string): RequestOf<"start"> => ({
  ...bringing(config, version),
  contract: CONTRACT_SHA256,
  kind: "start",
  words: OWN_WORDS.digest,
});

/** Of a process that serves: what rules at its door, besides. */
export const servingStartRequest = (config: RecordedConfig, version: string): RequestOf<"start"> => ({
  ...startRequest(config, version),
  serves: servingDigest(config),
});

export const START_WORDS = OWN_WORDS.digest;

/** What a start names by digest. */
export const START_GIVEN: NonNullable<Command["given"]> = { words: OWN_WORDS.text };
