// Building nodes and guests of a world from few words, with everything else filled in from the seed.
//
// A VM gets the keys that identify it (smbios1, vmgenid, meta), a container its root volume.

import type { Vmid } from "../../spine/model.ts";
import { present } from "../../spine/values/present.ts";
import { type Chance, drawUuid } from "./chance.ts";
import { type ConfigFile, EMPTY_FILE, fileFromText, type GuestSettings, type SnapshotSection } from "./guest-file.ts";
import type { GuestKind } from "./settings.ts";
import type { Node, RunState, SimulatedGuest, SimulatedHa, SimulatedRun } from "./world.ts";

const GIB = 2 ** 30;
const MIB = 2 ** 20;

export type NodeWords = {
  readonly name: string;
  readonly isMember?: boolean;
  readonly isUp?: boolean;
  readonly isReached?: boolean;
  readonly bootedMs?: number;
  readonly cpus?: number;
  readonly memory?: number;
};

export const makeNode = (words: NodeWords): Node => ({
  bootedMs: words.bootedMs ?? 0,
  cpus: words.cpus ?? 8,
  disk: 100 * GIB,
  isMember: words.isMember ?? true,
  isReached: words.isReached ?? true,
  isReporting: true,
  isUp: words.isUp ?? true,
  memory: words.memory ?? 32 * GIB,
  name: words.name,
});

export type GuestWords = {
  readonly vmid: Vmid;
  readonly kind?: GuestKind;
  readonly node: string;
  readonly name?: string;
  readonly cores?: number;
  readonly memory?: number; // bytes
  readonly tags?: readonly string[];
  /** Further lines of the configuration. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Oldest first; `ram` for one that holds the guest's memory too. */
  readonly snapshots?: readonly { readonly name: string; readonly ram?: boolean }[];
  /** The whole configuration as text; nothing is filled in then. */
  readonly text?: string;
  /** Absent for a stopped guest. */
  readonly state?: RunState;
  readonly sinceMs?: number;
  /** When it was created, which is a part of its identity; a day before the start when it is not said. */
  readonly bornMs?: number;
  readonly isMonitorSilent?: boolean;
  readonly isDeaf?: boolean;
  readonly ha?: SimulatedHa;
  readonly pool?: string;
};

const settingsOf = (words: GuestWords, chance: Chance, bornMs: number): ReadonlyMap<string, string> => {
  const kind = words.kind ?? "vm";
  const [uuid, next] = drawUuid(chance);
  const [genid] = drawUuid(next);
  const born = Math.floor(bornMs / 1000);
  return new Map(
    Object.entries({
      cores: `${words.cores ?? 1}`,
      memory: `${Math.floor((words.memory ?? 512 * MIB) / MIB)}`,
      ...(kind === "vm"
        ? {
            meta: `creation-qemu=10.0.2,ctime=${born}`,
            ...present({ name: words.name }),
            ostype: "l26",
            smbios1: `uuid=${uuid}`,
            vmgenid: genid,
          }
        : {
            arch: "amd64",
            ...present({ hostname: words.name }),
            ostype: "debian",
            rootfs: `local:${words.vmid}/vm-${words.vmid}-disk-0.raw,size=8G`,
            swap: "512",
          }),
      ...(words.tags === undefined || words.tags.length === 0 ? {} : { tags: words.tags.join(";") }),
      ...words.settings,
    }),
  );
};

const fileOf = (words: GuestWords, chance: Chance, bornMs: number): ConfigFile => {
  if (words.text !== undefined) return fileFromText(words.text);
  const settings = settingsOf(words, chance, bornMs);
  const last = words.snapshots?.at(-1)?.name;
  return {
    ...EMPTY_FILE,
    settings: last === undefined ? settings : new Map([...settings, ["parent", last]]),
    snapshots: snapshotsOf(words, settings, bornMs),
  };
};

const snapshotsOf = (
  { snapshots = [], vmid }: GuestWords,
  settings: GuestSettings,
  bornMs: number,
): SnapshotSection[] =>
  snapshots.map(({ name, ram }, at) => {
    const parent = snapshots[at - 1]?.name;
    const kept = { snaptime: `${Math.floor(bornMs / 1000) + at}`, ...present({ parent }) };
    const memory = ram === true ? { vmstate: `local:${vmid}/vm-${vmid}-state-${name}.raw` } : {};
    return { name, settings: new Map([...settings, ...Object.entries({ ...kept, ...memory })]) };
  });

const runOf = ({ isMonitorSilent, sinceMs, state, vmid }: GuestWords, startMs: number): SimulatedRun =>
  state === undefined
    ? { kind: "stopped" }
    : {
        kind: "running",
        monitor: isMonitorSilent === true ? "silent" : "answers",
        pid: 1000 + (vmid % 30_000),
        sinceMs: sinceMs ?? startMs - 3_600_000,
        state,
      };

const DAY_MS = 86_400_000;

/** `seed` gives the identity: the same words with another seed are another machine. */
export const makeGuest = (words: GuestWords, seed: number, startMs: number): SimulatedGuest => ({
  file: fileOf(words, (seed ^ Math.imul(words.vmid, 0x9e3779b1)) | 0, words.bornMs ?? startMs - DAY_MS),
  ...present({ ha: words.ha }),
  isDeaf: words.isDeaf ?? false,
  kind: words.kind ?? "vm",
  node: words.node,
  ...present({ pool: words.pool }),
  run: runOf(words, startMs),
  serial: words.vmid,
  vmid: words.vmid,
});
