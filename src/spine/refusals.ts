// The catalogue of refusals: every code an operator can meet, the rule it stands under, and the constant sentences
// that go with it. `refuse` is the only way to make one, so no refusal lacks its rule. keeps P7-O2
//
// A summary holds no names, so that it is recognised the second time; what is special about a case is in `because`.
// `next` says what would have to be true, and proposes no choice. docs/INVARIANTS.md lists the whole table.

import type { RuleId } from "./invariants.ts";
import type { Facts, Refusal, Stage, Vmid } from "./model.ts";

export type RefusalRow = {
  readonly rule: RuleId;
  readonly stage: Stage;
  readonly summary: string;
  readonly why: string;
  readonly next: string;
};

const input = (rule: RuleId, summary: string, why: string, next: string): RefusalRow => ({
  next,
  rule,
  stage: "input",
  summary,
  why,
});
const plan = (rule: RuleId, summary: string, why: string, next: string): RefusalRow => ({
  next,
  rule,
  stage: "plan",
  summary,
  why,
});
const safety = (rule: RuleId, summary: string, why: string, next: string): RefusalRow => ({
  next,
  rule,
  stage: "safety",
  summary,
  why,
});

export const REFUSALS = {
  // What came in could not be taken.
  usage: input(
    "P7-F1",
    "Command not understood",
    "A command that is half understood is not run.",
    "Use the words that --help lists.",
  ),
  "contract-broken": input(
    "P7-F1",
    "Contract differs from the code",
    "DESIGN.md says what this system will never do; when its text is not the one this code was built for, no promise holds.",
    "Restore DESIGN.md, or follow the recipe 'change a rule' in CONTRIBUTING.md.",
  ),
  "file-unreadable": input(
    "P7-F1",
    "File cannot be read",
    "Nothing is assumed of a file that cannot be read.",
    "Check the path and its permissions.",
  ),
  "file-unwritable": input(
    "P7-F1",
    "File cannot be written",
    "What could not be written whole is not written at all.",
    "Check the folder, its permissions and the space on the disk.",
  ),
  "file-exists": input(
    "P7-F1",
    "File exists already",
    "Nothing that somebody wrote is overwritten.",
    "Choose another folder or path, or move the file away.",
  ),
  "file-too-large": input(
    "P7-F1",
    "File is too large",
    "A file past the limit is more likely a mistake than a wish.",
    "Make the file smaller, or split it by environment.",
  ),
  "file-empty": input(
    "P7-F1",
    "File is empty",
    "An empty file is not an empty wish.",
    "Give a file that says something; 'dedalus init' writes examples of desired.yaml and dedalus.yaml.",
  ),
  "text-malformed": input(
    "P7-F1",
    "Text is not well-formed",
    "What cannot be parsed is not guessed.",
    "Mend the text at this position.",
  ),
  "problems-many": input(
    "P7-F1",
    "More problems than are listed",
    "Nobody reads the thousandth, and a text full of mistakes is not the text that was meant.",
    "Mend what is listed, or give the file that was meant.",
  ),
  "text-aliased": input(
    "P7-F1",
    "Anchor, alias or tag used",
    "A line must mean what it says where it stands.",
    "Write the value out.",
  ),
  "key-duplicate": input(
    "P7-F1",
    "Key written twice",
    "Two values for one key leave open which is meant.",
    "Keep one of them.",
  ),
  "key-unknown": input(
    "P7-F1",
    "Key not known",
    "A misspelt key would be silently lost.",
    "Use a known key, or remove it.",
  ),
  "key-missing": input(
    "P7-F1",
    "Key missing",
    "There are no defaults where a wrong guess costs something.",
    "Add the key.",
  ),
  "type-wrong": input(
    "P7-F1",
    "Value of the wrong type",
    "Values are not converted.",
    "Write a value of the type that is expected.",
  ),
  "value-wrong": input(
    "P7-F1",
    "Value not allowed",
    "Values outside what is documented are not rounded or clipped.",
    "Write an allowed value.",
  ),
  "unit-unknown": input(
    "P7-F1",
    "Unit not known",
    "GB means two different numbers to two people.",
    "Use KiB, MiB, GiB or TiB, or plain bytes.",
  ),
  "version-unknown": input(
    "P7-F1",
    "Format version not known",
    "A file of another version may mean something else.",
    "Use version 1, or a Dedalus that knows this version.",
  ),
  "vmid-duplicate": input(
    "N8",
    "VM written twice",
    "One vmid with two wishes has no certain meaning.",
    "Keep one entry for each vmid.",
  ),
  "stop-unsaid": input(
    "P7-A2",
    "How to stop is not said",
    "Asking a guest to shut down and cutting its power are two decisions, and neither is a default.",
    "Add stop: shutdown or stop: power-off to the entry.",
  ),
  "stop-idle": input(
    "P7-A2",
    "A way to stop without a wish to stop",
    "An entry that says how to stop a VM that should run is two wishes.",
    "Remove stop, or write target: stopped.",
  ),
  "action-unknown": input(
    "B7",
    "Action not in the catalogue",
    "Only the typed actions of the catalogue exist; nothing is passed through.",
    "Use an action of the catalogue.",
  ),
  "secret-inline": input(
    "B5",
    "Secret written into configuration",
    "Configuration is read, hashed and shown; a secret in it would leak.",
    "Write where the secret is: { env: NAME } or { file: PATH }.",
  ),
  "secret-open": input(
    "B5",
    "Secret file is open to others",
    "A secret that other users can read is not one.",
    "Give the file to its owner alone: chmod 600.",
  ),
  "credential-shared": input(
    "B3",
    "Credential named by two environments",
    "A credential that serves two environments lets one reach into the other.",
    "Make a credential for each environment.",
  ),
  "tls-off": input(
    "B4",
    "TLS verification turned off",
    "Whoever answers an unverified connection could be anybody.",
    "Use verify: system, verify: ca with a file, or verify: pinned with a fingerprint.",
  ),
  "node-unpinned": input(
    "N6",
    "Another Node than the pinned one",
    "The same bytes are promised on the Node that the tests ran on.",
    "Run make setup, and start Dedalus with bin/dedalus.",
  ),
  "plan-altered": input(
    "N7",
    "Plan differs from its hash",
    "A plan that was changed after it was made is nobody's decision.",
    "Plan again from the inputs.",
  ),
  "plan-of-other-rules": input(
    "N6",
    "Plan made under other rules",
    "The same inputs would be judged differently by this version.",
    "Plan again with this version.",
  ),

  // This VM gets no step; others may.
  "environment-mismatch": plan(
    "B3",
    "Another environment's observation",
    "A wish for one environment says nothing about a VM of another.",
    "Give an observation of the environment that the desired file names.",
  ),
  "vm-not-desired": plan(
    "P7-A1",
    "VM is not in the desired file",
    "What nobody wrote down is not acted on, and nothing is discovered.",
    "Add the VM to the desired file, or leave it out of the scope.",
  ),
  "vm-unknown": plan(
    "N1",
    "VM's state is unknown",
    "Acting on a guess is the one mistake that cannot be explained afterwards.",
    "Look again, or narrow the scope to VMs that were seen.",
  ),
  "vm-missing": plan(
    "N1",
    "VM does not exist",
    "Missing is not stopped: a complete look did not find this VM.",
    "Correct or remove the entry, or create the VM by hand.",
  ),
  "size-not-seen": plan(
    "N1",
    "VM's size was not seen",
    "A size that was not observed cannot be compared with the one that is wanted.",
    "Look again with a source that reports sizes, or remove the size from the entry.",
  ),
  "snapshots-not-seen": plan(
    "N1",
    "VM's snapshots were not seen",
    "Whether a snapshot's name is free or taken is not guessed.",
    "Look again with a source that lists snapshots.",
  ),
  "name-mismatch": plan(
    "N8",
    "VM has another name",
    "A vmid can be reused; a different name may be a different machine.",
    "Make the names agree, in the desired file or on the VM.",
  ),
  "identity-mismatch": plan(
    "N8",
    "VM has another identity",
    "It wears the same vmid and is another machine.",
    "Confirm which machine is meant and correct the identity in the entry.",
  ),
  "identity-not-seen": plan(
    "N8",
    "VM's identity was not seen",
    "The entry demands an identity that the observation does not show.",
    "Look again with a source that reports identity, or remove the identity from the entry.",
  ),
  hindered: plan(
    "P7-F1",
    "The place forbids it",
    "A call that is known to be refused is not tried.",
    "Clear what stands in the way, then plan again.",
  ),
  "state-unfit": plan(
    "P7-F1",
    "VM is not in a state for this action",
    "The action's precondition does not hold.",
    "Bring the VM into the state that the action needs, or ask for another action.",
  ),
  "waits-for-restart": plan(
    "P7-E1",
    "The change waits for a restart",
    "The sizes are written and become active when the VM restarts; a restart is never a follow-up.",
    "Request the restart as an action of its own, or wait for the next one.",
  ),

  // The whole plan is refused.
  "look-foreign": safety(
    "B3",
    "Observation of another environment",
    "Nothing that was seen says anything about the environment of these wishes.",
    "Give an observation of the environment that the desired file names.",
  ),
  "look-incomplete": safety(
    "N1",
    "Observation is incomplete",
    "What was not seen may matter to what was.",
    "Look again, or narrow the scope (--only) to VMs that were seen.",
  ),
  "truth-incomplete": safety(
    "N1",
    "A desired VM is unknown",
    "A plan for all of them must know all of them.",
    "Look again, or narrow the scope (--only) to VMs that are known.",
  ),
  "production-touched": safety(
    "N2",
    "Production VM would be interrupted or changed",
    "A VM is protected by a name that begins with prod-, by the tag prod, or by protected: true; there is no override.",
    "Take the VM out of the scope, or do it by hand at the place itself.",
  ),
  "policy-refuses": safety(
    "P7-A2",
    "Policy rules this action out",
    "An operator wrote that this action is not to be planned here.",
    "Change the policy, as a recorded act.",
  ),
} as const satisfies Record<string, RefusalRow>;

export type RefusalCode = keyof typeof REFUSALS;
export const REFUSAL_CODES = Object.keys(REFUSALS) as readonly RefusalCode[];
export const refusalRow = (code: RefusalCode): RefusalRow => REFUSALS[code];
export const isRefusalCode = (value: unknown): value is RefusalCode =>
  typeof value === "string" && Object.hasOwn(REFUSALS, value);

export const refuse = (
  code: RefusalCode,
  about: { readonly because: string; readonly facts?: Facts; readonly next?: string; readonly vmid?: Vmid },
): Refusal => {
  const row = REFUSALS[code];
  const { because, facts = {}, next = row.next, vmid } = about;
  const head = { because, code, facts, kind: "refusal", next, rule: row.rule, stage: row.stage } as const;
  return vmid === undefined ? head : { ...head, vmid };
};
