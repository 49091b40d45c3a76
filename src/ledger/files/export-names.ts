// How the files of an export are called, for whoever writes one and whoever verifies it. Tiles have names of their own
// (tree/tiles.ts).

export const LINES_FILE = "audit_export.jsonl";
export const CHECKPOINT_FILE = "checkpoint";
export const BLOBS_FOLDER = "blobs";
