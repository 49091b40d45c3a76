// The only reader of the process's surroundings: environment variables, the login name, where our own files are.

import { userInfo } from "node:os";
import { fileURLToPath } from "node:url";

/** See no-color.org: any non-empty value turns colour off. */
export const isColourUnwanted = (): boolean => (process.env["NO_COLOR"] ?? "") !== "" || process.env["TERM"] === "dumb";

export const loginName = (): string => userInfo().username;

/** A file of the package itself, by its path below the package's folder. */
export const ownFile = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
