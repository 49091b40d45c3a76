// The words of refusals that the kernel makes of plans, their steps, and who agreed to them. Sentences for people:
// nothing is decided or recognised by them.

import type { RefusalWords } from "../template.ts";

const UNDER_ITS_OWN = "Plan again under the configuration that holds now, or go back to the one of the plan.";

export const STEP_WORDS = {
  "plan-done": {
    summary: "Nothing to apply",
    because:
      "your last plan, {plan}, {planStatus:applied=was applied|applying=is being applied|failed=was applied, and a step failed|nothing-to-do=has no step|refused=was refused|unknown=was applied, and the outcome of a step is unknown}",
    why: "Without a plan's id the last one that you were shown is meant, and never another.",
    next: "Plan again, to see what differs now.",
  },
  "plan-unknown": {
    summary: "Plan not known",
    because: "there is no plan {plan}",
    why: "Nothing is applied that was not planned and recorded here in the last day.",
    next: "See the plans that there are.",
  },
  "desired-foreign": {
    summary: "Desired file of another environment",
    because: "{file} is for environment {of}, and is used for {environment}",
    why: "What is meant for one environment is never used in another.",
    next: "Name the desired file of {environment}, or correct its environment.",
  },
  "plan-foreign": {
    summary: "Plan of another environment",
    because: {
      file: "the desired file is of {of}",
      intent: "the intent is of {of}",
      plan: "the plan is of {of}",
      record: "the record is of another environment",
    },
    why: "What is meant for one environment is never used in another.",
    next: {
      file: "Use the desired file of this environment.",
      intent: "Use the environment of the intent.",
      plan: "Use the environment of the plan.",
      record: "Use the environment of the record.",
    },
  },
  "plan-closed": {
    summary: "Plan is closed",
    because: {
      canceled: "it was canceled",
      "requester-revoked": "the token of whoever asked for it was revoked",
      superseded: "it was superseded",
      voided: "it was voided by a clock or an anchor that was accepted since",
    },
    why: "A plan that was canceled, superseded or voided, or whose requester was revoked, is not applied.",
    next: "Plan again.",
  },
  "plan-refused": {
    summary: "Plan was refused",
    because: "its verdict is refused",
    why: "The verdict is final; nothing of a refused plan is applied.",
    next: "Change what is refused, and plan again.",
  },
  "policy-rate": {
    summary: "Policy allows no more applies this hour",
    because: {
      everybody:
        "{applied} applies were made in the last hour, and the policy allows {perHour}; the next one from {allowedAt} on",
      "everybody-action":
        "{applied} applies of {action} were made in the last hour, and the policy allows {perHour}; the next one from {allowedAt} on",
      whom: "{applied} applies of {whom} were made in the last hour, and the policy allows {perHour}; the next one from {allowedAt} on",
      "whom-action":
        "{applied} applies of {action} by {whom} were made in the last hour, and the policy allows {perHour}; the next one from {allowedAt} on",
    },
    why: "An operator wrote how many changes there may be in an hour.",
    next: "Wait until {allowedAt}, or change the policy, as a recorded act.",
  },
  "policy-window": {
    summary: "Outside the hours that the policy allows",
    because: {
      everybody: "the policy allows {action} only on {days}, {hours} UTC; the next window opens at {opensAt}",
      whom: "the policy allows {action} by {whom} only on {days}, {hours} UTC; the next window opens at {opensAt}",
    },
    why: "An operator wrote on which days and hours this may be done.",
    next: "Wait until {opensAt}, or change the policy, as a recorded act.",
  },
  "policy-differs": {
    summary: "Policy has changed since the plan",
    because: {
      added: "the plan was made without a policy, and policy {now} is configured",
      removed: "the plan was made under policy {plan}, and no policy is configured",
      replaced: "the plan was made under policy {plan}, and policy {now} is configured",
    },
    why: "A decision under one policy does not count under another, stricter or not.",
    next: "Plan again.",
  },
  "configuration-differs": {
    summary: "Environment's configuration has changed",
    because: {
      absent: "its environment is not configured",
      changed: "the configuration of its environment is not the one that the plan was made under",
      edited: "dedalus.yaml or a policy was edited after this process had read it",
      restart: "ledger, anchor or signingKey in dedalus.yaml is not the one that this process opened",
      unreadable: "dedalus.yaml or a policy it names cannot be read any more",
    },
    why: "Agreement under one approval mode, address or credential does not count under another.",
    next: {
      absent: UNDER_ITS_OWN,
      changed: UNDER_ITS_OWN,
      edited: UNDER_ITS_OWN,
      restart: "Restart the process that serves, or go back to what it opened.",
      unreadable: "Correct dedalus.yaml and its policies, then plan again.",
    },
  },
  "rules-differ": {
    summary: "Plan was made under other rules",
    because: "the plan was made by a program with other rules",
    why: "A decision under one version of the rules does not count under another.",
    next: "Plan again.",
  },
  "desired-changed": {
    summary: "VM's desired entry has changed",
    because: "its entry is not the one that was planned on",
    why: "A step is based on the entry that was registered when it was planned.",
    next: "See what is registered, then plan again.",
  },
  "entry-unproven": {
    summary: "VM's registered entry is not shown",
    because: {
      absent: "no registered entry was brought",
      "other-vm": "the entry is of VM {other}",
      unregistered: "what is registered at this moment does not hold the entry",
    },
    why: "Whether a VM may be touched is judged on its entry as it is registered at this moment.",
    next: "Ask again: another file was registered in between, or the entry was left out.",
  },
  "plan-not-live": {
    summary: "Plan was not made from a live observation",
    because: { "not-live": "it was made from an observation that is not live" },
    why: "A replay, a collection or telemetry shows what was, not what is.",
    next: "Observe the provider itself and plan again.",
  },
  "step-unknown": {
    summary: "Step is not in this plan",
    because: {
      altered: "the step at index {index} is not the one that its hash names",
      unproven: "the plan has another step at index {index}, none, or it was not shown",
    },
    why: "The step that was brought is not the one that was planned and hashed.",
    next: "Take the step from the recorded plan.",
  },
  "step-expired": {
    summary: "Step has expired",
    because: {
      ended: "it ended at {end}",
      undated: "its observation has no time",
    },
    why: "It is based on an observation that is too old to act on.",
    next: "Observe and plan again.",
  },
  "step-consumed": {
    summary: "Step was already tried",
    because: {
      all: "every step of the plan was tried",
      answered: "record {seq} answered this key before",
      intent: "intent {intent} has it",
    },
    why: "A step is tried once, whatever came of it.",
    next: "See how it ended; plan again from a fresh observation.",
  },
  "step-claimed": {
    summary: "Step is already being applied",
    because: "{action} of {name} was claimed by intent {intent}",
    why: "A process has the step, and its call may leave at any moment; a no that stops nothing is not recorded as one.",
    next: "To stop a call that has not left, freeze the environment.",
  },
  "step-denied": {
    summary: "Step was denied",
    because: "{by} denied it: {reason}",
    why: "A recorded denial denies.",
    next: "Talk to {by}. If they agree, plan it again and have the new plan approved.",
  },
  "approval-missing": {
    summary: "Approval is missing",
    because: {
      "for-the-agent":
        "{needed:approval is|approvals are} needed from whoever else applies it, and approvals of this plan are for the agent {requester} alone",
      gone: "an approval that was counted is gone",
      "too-few": "{needed:approval is|approvals are} needed, {approvals} given",
      uncounted:
        "{needed:approval is|approvals are} needed, {approvals} counted; {uncounted} more ended, or did not come through the service, or were given to another explanation or for somebody else",
    },
    why: "The step's tier needs the agreement of more people.",
    next: {
      "for-the-agent": "Let {requester} apply it, or plan the same change yourself and have that plan approved.",
      gone: "Plan again, and have the new plan approved.",
      "too-few": "Read it, ask for approval, and have it approved.",
      uncounted: "Read it, ask for approval, and have it approved.",
    },
  },
  "approval-own": {
    summary: "Own approval does not count",
    because: {
      asked: "{actor} asked for the plan",
      counted: "an approval by whoever asked for the plan or applies it does not count",
    },
    why: "In this environment another person approves: neither the one who asked nor the one who applies.",
    next: "Let another person approve.",
  },
  "approval-made": {
    summary: "Approver's token ties them to whoever asked or applies",
    because: "of {approvers} and {others}, one made the token of the other",
    why: "Whoever made a token may know it, so the two names could be one person.",
    next: "Let somebody approve whose token neither of them made.",
  },
  "approval-unknown": {
    summary: "Approval not known",
    because: {
      absent: "there is no such approval",
      foreign: "the approval is {by}'s",
      none: "there is no active approval of this step by {by}",
    },
    why: "Only an active approval of your own can be withdrawn.",
    next: "See who approved the plan.",
  },
  "denied-before": {
    summary: "The same was denied before",
    because: "{by} denied it at {at}: {reason}",
    why: "Whoever approves what somebody denied knows of the denial.",
    next: "Read the explanation, and if you still agree, approve it with the hash of what you read.",
  },
  "explanation-differs": {
    summary: "Another explanation was shown",
    because: {
      approved: "the hash is not that of this step's explanation",
      confirmed: "the hash is not that of this step's explanation",
    },
    why: "Agreement is given to what was read, and this is something else.",
    next: {
      approved: "Read it again.",
      confirmed: "Read it again, and confirm with the hash that is shown.",
    },
  },
  "words-differ": {
    summary: "Explanation was shown in other words",
    because: {
      challenge: "the step was shown in the words {challenge}, and is confirmed in {shown}",
      program: "it was shown in the words {shown}, and the program that started last has {now}",
      unknown: "it was shown in the words {shown}, and no program recorded its own under this configuration",
      unnamed: "it does not say in which words it was shown",
    },
    why: "Agreement is given to a text that can be shown again, in the words that its program recorded.",
    next: "Read it again with the program that runs now.",
  },
  "confirmation-missing": {
    summary: "Confirmation is missing",
    because: {
      absent: "no confirmation is given",
      declined: "the answer was not yes",
      "no-terminal": "no terminal: pass the hash that is shown",
    },
    why: "Whoever applies confirms after reading what will happen.",
    next: {
      absent: "Read it again, and confirm with the hash that is shown.",
      declined: "Apply it again, and answer yes.",
      "no-terminal": "Read it, and confirm with the hash that is shown.",
    },
  },
  "confirmation-spent": {
    summary: "Confirmation is not valid",
    because: {
      ended: "it ended at {end}",
      unbound: "it is of another step, person, process or explanation, or was used",
      unneeded: "whoever applies this confirms nothing, and a challenge is not spent for it",
    },
    why: "A confirmation is for one step, one person and five minutes, and counts once.",
    next: {
      ended: "Read it again, and confirm with the hash that is shown.",
      unbound: "Read it again, and confirm with the hash that is shown.",
      unneeded: "Apply without it.",
    },
  },
  "name-not-typed": {
    summary: "VM's name was not typed",
    because: "the VM's name is {name}",
    why: "Before an action that cannot be undone, the VM's name is typed by hand.",
    next: "Type the VM's name exactly.",
  },
  "vm-blocked": {
    summary: "VM is blocked",
    because: "the outcome of {action} is unknown (intent {intent})",
    why: "An unknown outcome is never taken for success.",
    next: "Reconcile it with a fresh observation.",
  },
  "vm-busy": {
    summary: "VM has an open intent",
    because: "{action} is being tried (intent {intent})",
    why: "One action on one VM at a time.",
    next: "Wait for its outcome.",
  },
} as const satisfies Readonly<Record<string, RefusalWords>>;
