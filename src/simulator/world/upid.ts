// UPID: the name of a task, in the grammar of Proxmox VE, written and read.
//
// UPID:{node}:{pid}:{pstart}:{starttime}:{type}:{id}:{user}: with hexadecimal numbers of at least eight digits.

export type UpidParts = {
  readonly node: string;
  readonly pid: number;
  readonly pstart: number;
  readonly startMs: number;
  readonly type: string;
  readonly id: string;
  readonly user: string;
};

const hex = (value: number): string => value.toString(16).toUpperCase().padStart(8, "0");

export const upidText = ({ id, node, pid, pstart, startMs, type, user }: UpidParts): string =>
  `UPID:${node}:${hex(pid)}:${hex(pstart)}:${hex(Math.floor(startMs / 1000))}:${type}:${id}:${user}:`;

const UPID =
  /^UPID:[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?:[0-9A-F]{8}:[0-9A-F]{8,9}:[0-9A-F]{8}:[^:\s/]+:[^:\s/]*:[^:\s/]+:$/i;

export const isUpid = (text: string): boolean => UPID.test(text);

/** The node of a UPID; undefined for any other text. */
export const nodeOfUpid = (text: string): string | undefined => (isUpid(text) ? text.split(":")[1] : undefined);
