// What one stage of a task may do, as a closed list. A task holds these as data; what each does is in acts/.

import type { Vmid } from "../../spine/model.ts";
import type { Edits } from "./guest-file.ts";
import type { Work } from "./world-calls.ts";

export type Act =
  | { readonly do: "nothing" | "launch" | "execute" | "power-off" | "reset" | "pause" | "resume" | "hibernate" }
  | { readonly do: "check"; readonly work: Work }
  | { readonly do: "fail"; readonly text: string }
  | { readonly do: "ask-ha"; readonly verb: "start" | "stop" | "shutdown" }
  | { readonly do: "lock"; readonly lock: string }
  | {
      readonly do: "snapshot-begin";
      readonly snapshot: string;
      readonly description?: string;
      readonly withMemory: boolean;
    }
  | {
      readonly do: "snapshot-commit" | "snapshot-remove" | "rollback-begin" | "rollback-commit";
      readonly snapshot: string;
    }
  | { readonly do: "configure"; readonly edits: Edits; readonly reverts?: readonly string[] }
  | { readonly do: "remove-disks" | "destroy" }
  | { readonly do: "migrate"; readonly target: string }
  | { readonly do: "clone-begin"; readonly newid: Vmid; readonly name?: string }
  | { readonly do: "clone-commit"; readonly newid: Vmid };
