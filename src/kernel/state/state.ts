// What the kernel holds: a fold of the ledger, and nothing that is not in it.
//
// A value that never changes; every map in it is persistent. What is open (intents, blocked VMs, freezes, tokens) stays
// until a record closes it; what is over is kept for a day or two (recent.ts), and for ever in the ledger.

import { canonicalText } from "../../ledger/record/profile.ts";
import type { Ulid } from "../../ledger/record/record.ts";
import type { ActionKind, Instant, OutcomeEnd, Sha256, Verdict, Vmid } from "../../spine/model.ts";
import type { Hand, PolicyLine } from "../../spine/plan/policy.ts";
import type { RefusalCode } from "../../spine/rules/refusals.ts";
import type { Json } from "../../spine/values/canonical.ts";
import type { RecordedConfig, Sections } from "../command/recorded-config.ts";
import type { Door, ObservationCovers, Passkey, Requests, SignedInByOidc } from "../command/request.ts";
import type { Appliers, Bar } from "../command/result.ts";
import type { Grants } from "../command/role-grants.ts";
import { EMPTY, find, type PersistentMap } from "./persistent-map.ts";
import { NOTHING_RECENT, type Recent } from "./recent.ts";
import type { Registration } from "./registered-entry.ts";
import type { Times } from "./times.ts";

export type ObservationState = {
  /** On the clock of the process: when it was recorded, less the time that it took. What it is aged by. */
  readonly at: Instant;
  readonly covers?: ObservationCovers;
  readonly digest: Sha256;
  readonly environment: string;
  readonly live: boolean;
  /** For display only: whoever looked says so, by a clock of their own. */
  readonly observedAt?: Instant;
};
export type Approval = {
  readonly appliers: Appliers;
  readonly by: string;
  readonly door: Door;
  readonly explanation: Sha256;
  readonly expiresAt: Instant;
  readonly id: Ulid;
  readonly index: number; // of its step in the plan
  readonly seq: number; // of the record that gave it
  readonly step: Sha256;
};
export type Denial = { readonly by: string; readonly id: Ulid; readonly reason: string; readonly step: Sha256 };
/** The last denial of an action on a VM: it outlives its plan, and everybody who agrees to the same later reads it. */
export type LastDenial = Omit<Denial, "step"> & { readonly at: Instant };

/** For whoever decides. `reason` is in the words of whoever asked, and nothing is judged by it. */
export type ApprovalRequest = { readonly by: string; readonly id: Ulid; readonly reason?: string };

export type PlanState = {
  readonly approvals: readonly Approval[];
  /** What the policy that it stands on asks of whoever asked for it; absent where that is nothing. */
  readonly asks?: readonly PolicyLine[];
  /** Why it carries no apply; absent when it does. */
  readonly bars?: Bar;
  readonly blob: Sha256; // the whole plan
  readonly closed?: "canceled" | "requester-revoked" | "superseded" | "voided";
  readonly complete: boolean; // of the observation, as the explanation says it
  /** Intents by the index of their step: a step is consumed by its first. */
  readonly consumed: PersistentMap<Ulid>;
  /** Of everything in it but the observation: what is made again on an unchanged world has the same. */
  readonly content: Sha256;
  readonly denials: readonly Denial[];
  readonly environment: string;
  readonly hash: Sha256;
  readonly id: Ulid;
  readonly observedAt?: Instant;
  /** The policy that it stands on; absent where nothing was tightened. */
  readonly policy?: Sha256;
  /** `makers` are those of the token that it was asked with, if it was: another one may be in its place since. */
  readonly requester: {
    readonly door: Door;
    readonly id: string;
    readonly kind: string;
    readonly makers?: readonly string[];
  };
  readonly rules: number; // the version that made it
  readonly section: Sha256; // of its environment's configuration, without the policy
  readonly steps: { readonly root: Sha256; readonly size: number };
  readonly verdict: Verdict["kind"];
  /** Steps for which approval was requested, and since which record: the first after an approval was lost. */
  readonly waiting: readonly {
    readonly asked: readonly ApprovalRequest[]; // the first of each who asked since
    readonly since: number;
    readonly step: Sha256;
  }[];
};

export type IntentState = {
  readonly action: ActionKind;
  readonly approvals: readonly Ulid[]; // those that were counted
  readonly end?: OutcomeEnd; // absent while it is open
  readonly endedAt?: Instant; // when that was recorded
  readonly environment: string;
  readonly id: Ulid;
  readonly index: number;
  readonly name: string;
  readonly owner: Ulid; // the process that performs it
  readonly plan: Ulid;
  readonly reference?: string;
  readonly registered?: Sha256; // the root of what was registered when it was claimed
  readonly sendBy: Instant;
  readonly settleBy: Instant;
  readonly step: Sha256;
  readonly token?: string; // the public id of the one that claimed it; absent where none was shown
  readonly vmid: Vmid;
};
/** Granted applies of the last hour that are alike: of one action in one environment, by the same hands. */
export type RecentClaims = {
  readonly action: ActionKind;
  readonly at: Times; // no more than a policy may count
  readonly environment: string;
  readonly hands: readonly Hand[];
};
export type Challenge = {
  readonly instance?: Ulid; // the process that alone may confirm with it: a question that went unanswered dies with it
  readonly by: string;
  readonly denied?: Ulid; // the last denial that the explanation told of
  readonly explanation: Sha256;
  readonly expiresAt: Instant;
  readonly id: Ulid;
  readonly index: number; // where the plan was shown to hold the step
  readonly plan: Ulid;
  readonly registered?: Sha256; // the root of what was registered when it was given
  readonly step: Sha256;
  readonly words?: Sha256; // the catalogue in which it was shown
};
/** What a program said when it brought its configuration; an act on the ledger alone shows no words. */
export type Program = { readonly rules: number; readonly words?: Sha256 };
export type Desired = { readonly digest: Sha256; readonly id: Ulid } & Registration;
export type TokenState = {
  readonly expiresAt: Instant;
  readonly grants: Grants;
  readonly hash: Sha256;
  readonly id: string; // the subject
  readonly kind: "person" | "agent";
  /**
   * Who made it, who made the maker's, and so on, as it was then: each of them could know it. The maker is the first.
   */
  readonly makers: readonly string[];
  readonly token: string; // its public id
};
/** A token that ends, by which a person who signed in is known; several may be open, at a browser and at terminals. */
export type SessionState = {
  readonly expiresAt: Instant;
  readonly hash: Sha256;
  /** Its person signed out: it proves nobody, and what it claimed before still stands. */
  readonly isOut?: true;
  readonly token: string; // its public id
};
/** By the passkey that somebody set who was invited: nobody else made it, and who invited them is told. */
export type KnownByPasskey = Passkey & {
  readonly grants: Grants;
  readonly invitedBy: string;
  readonly kind: "passkey";
};
/** Who signs in, and by what: as their newest sign-in says, or as they set it. */
export type PersonState = {
  readonly id: string;
  readonly known: KnownByPasskey | SignedInByOidc;
  /** Oldest first, and few. */
  readonly sessions: readonly SessionState[];
  readonly signedInAt?: Instant; // the last time; absent until the first
};
/** Open until it is redeemed or ends, or another takes its place. `makers` are those of a token that it would set. */
export type Invitation = {
  readonly expiresAt: Instant;
  readonly grants: Grants;
  readonly invitedBy: string;
  readonly makers: readonly string[];
  readonly secret: Sha256; // its hash
};
/** The newest start of a serving process: what it serves rules at the service door. */
export type RulingStart = { readonly configHash: Sha256; readonly digest: Sha256; readonly rules: number };
export type Freeze = {
  readonly at: Instant;
  readonly by: string;
  readonly id: Ulid;
  readonly leftOut?: number; // how many stand between the one before and this one, in the ledger alone
  readonly reason: string;
};
/** Those that stand at one place, oldest first: a second one takes nobody's reason away. They are lifted together. */
export type Freezes = readonly [Freeze, ...Freeze[]];

/**
 * The last time that an operator made the anchor anew, after its loss or with a restore, and how often that was done.
 */
export type ReAnchored = {
  readonly at: Instant;
  readonly by: string;
  readonly count: number;
  readonly found: RefusalCode;
  readonly lost?: number; // of a restore: the records that the anchor covered and the backup has not
  readonly reason: string;
  readonly seq: number;
  readonly size: number;
};

export type State = {
  readonly anchors: PersistentMap<number>; // by the digest of an instance's public key: the start that named its anchor
  readonly answered: Recent<Ulid>; // by requester: the plan that their last request for one was answered with
  /** By environment and vmid: the intent whose outcome is unknown. */
  readonly blocked: PersistentMap<IntentState>;
  readonly challenges: Recent<Challenge>; // unused ones
  readonly claims: PersistentMap<RecentClaims>;
  readonly configs: PersistentMap<RecordedConfig>;
  readonly denials: PersistentMap<LastDenial>; // by environment, vmid and action; for good
  readonly desired: PersistentMap<Desired>; // by environment
  readonly freezes: PersistentMap<Freezes>; // by environment; EVERYWHERE for all
  readonly identities: PersistentMap<Sha256>; // by environment: the map of what each vmid was
  readonly intents: Recent<IntentState>; // with their outcome
  readonly invitations: PersistentMap<Invitation>; // by the name of whoever is invited
  readonly issued: PersistentMap<string>; // by issuer and sub: the name of the person, for good
  readonly latest: Recent<Ulid>; // a requester's last plan for a scope
  readonly observations: Recent<ObservationState>;
  readonly open: PersistentMap<IntentState>; // by environment and vmid: one at a time
  readonly people: PersistentMap<PersonState>; // by name: who signed in, for good
  readonly plans: Recent<PlanState>;
  readonly programs: PersistentMap<Program>; // by the hash of their configuration: what the newest one under it said
  readonly reAnchored?: ReAnchored;
  /** The last seal; the ledger is sealed when it is the last record, unless it is the copy that goes on. */
  readonly seal?: { readonly copy: Sha256; readonly seq: number };
  readonly sections: PersistentMap<Sections>; // by the hash of their configuration: worked out once, not for every plan
  readonly serving?: RulingStart;
  readonly servings: PersistentMap<Sha256>; // by the hash of their configuration: what would rule if it were served
  readonly sessions: PersistentMap<string>; // by the hash of a session's token: the name of its person
  readonly size: number;
  readonly started?: Sha256; // the hash of the configuration of the newest start
  readonly subjects: PersistentMap<TokenState>; // by id: who has a token that stands
  readonly tokens: PersistentMap<TokenState>; // by the token's hash
  readonly voided: PersistentMap<Ulid>; // by the id of a copy: the act that declared it gone
};

export const EVERYWHERE = "*";

export const INITIAL: State = {
  anchors: EMPTY,
  answered: NOTHING_RECENT,
  blocked: EMPTY,
  challenges: NOTHING_RECENT,
  claims: EMPTY,
  configs: EMPTY,
  denials: EMPTY,
  desired: EMPTY,
  freezes: EMPTY,
  identities: EMPTY,
  intents: NOTHING_RECENT,
  invitations: EMPTY,
  issued: EMPTY,
  latest: NOTHING_RECENT,
  observations: NOTHING_RECENT,
  open: EMPTY,
  people: EMPTY,
  plans: NOTHING_RECENT,
  programs: EMPTY,
  sections: EMPTY,
  servings: EMPTY,
  sessions: EMPTY,
  size: 0,
  subjects: EMPTY,
  tokens: EMPTY,
  voided: EMPTY,
};

/** One VM in the state's maps. */
export const vmKey = (environment: string, vmid: Vmid): string => `${environment}/${vmid}`;
/** One action on one VM. */
export const actionKey = (environment: string, vmid: Vmid, action: ActionKind): string =>
  `${vmKey(environment, vmid)}/${action}`;

/** The token with this public id, if it stands. */
export const tokenNamed = ({ subjects }: State, name: string): TokenState | undefined =>
  find(subjects, ({ token }) => token === name);

/** Open intents are few: one for each VM that is being changed. */
export const openIntent = ({ open }: State, id: Ulid): IntentState | undefined =>
  find(open, (intent) => intent.id === id);

/** One requester's plans for one scope replace each other, and nobody else's. */
export const scopeKeyOf = (environment: string, requester: string, { request, scope }: Requests["plan"]): string =>
  canonicalText([environment, requester, scope, (request ?? null) as Json]);
