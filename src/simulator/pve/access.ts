// Who may do what where: users, tokens, and the access control list, as Proxmox VE weighs them.
//
// An entry at a path replaces what comes from above; a token with separated privileges has only what its user has too.
// root@pam may everything, and a token of root with separated privileges may nothing until it is written.

import { type Dialect, privilegesOf, privilegesOfRole } from "./privileges.ts";

export type User = { readonly name: string; readonly password?: string };
/** `id` is user@realm!token. */
export type SimulatedToken = { readonly id: string; readonly secret: string; readonly isSeparated: boolean };
export type AclEntry = {
  readonly path: string;
  /** user@realm, or user@realm!token. */
  readonly who: string;
  readonly role: string;
  readonly isPropagated: boolean;
};
export type Accounts = {
  readonly users: readonly User[];
  readonly tokens: readonly SimulatedToken[];
  readonly roles: ReadonlyMap<string, readonly string[]>;
  readonly acl: readonly AclEntry[];
};
export type Who = { readonly user: string; readonly token?: SimulatedToken };

/** What somebody may at a path, and whether it holds below it too. */
export type PathRights = ReadonlyMap<string, boolean>;

const ROOT = "root@pam";

const stepsTo = (path: string): readonly string[] => {
  const parts = path.split("/").filter((part) => part !== "");
  return ["/", ...parts.map((_, at) => `/${parts.slice(0, at + 1).join("/")}`)];
};

export type Weigh = {
  readonly accounts: Accounts;
  readonly dialect: Dialect;
  /** The pool of a guest, whose rights its guests have. */
  readonly poolOf: (vmid: number) => string | undefined;
};

/** Accounts never change, so what a role holds is worked out once. */
const known = new WeakMap<Accounts, Map<string, readonly string[]>>();

const privilegesIn = (accounts: Accounts, dialect: Dialect, role: string): readonly string[] => {
  const roles = known.get(accounts) ?? new Map<string, readonly string[]>();
  known.set(accounts, roles);
  const found = roles.get(role) ?? privilegesOfRole(role, accounts.roles, dialect) ?? [];
  roles.set(role, found);
  return found;
};

const written = ({ accounts, dialect }: Weigh, who: string, path: string): PathRights => {
  let rights: PathRights = new Map();
  for (const step of stepsTo(path)) {
    const here = accounts.acl.filter(
      (entry) => entry.who === who && entry.path === step && (step === path || entry.isPropagated),
    );
    if (here.length === 0) continue;
    const merged = new Map<string, boolean>();
    // It leaves nothing of the others: pve-access-control src/PVE/AccessControl.pm, roles.
    const isShut = here.some(({ role }) => role === "NoAccess");
    for (const { isPropagated, role } of isShut ? [] : here) {
      for (const privilege of privilegesIn(accounts, dialect, role)) {
        merged.set(privilege, isPropagated || merged.get(privilege) === true);
      }
    }
    rights = merged;
  }
  return rights;
};

const VM_PATH = /^\/vms\/([0-9]+)$/;

/** Values that never change, so what is left of a list is worked out once. */
const left = new WeakMap<Accounts, WeakMap<ReadonlySet<number>, Accounts>>();

/** The accounts without the entries of guests that were destroyed: pve-access-control, remove_vm_access. */
export const accountsAfter = (accounts: Accounts, destroyed: ReadonlySet<number>): Accounts => {
  if (destroyed.size === 0) return accounts;
  const known = left.get(accounts) ?? new WeakMap<ReadonlySet<number>, Accounts>();
  left.set(accounts, known);
  const made = known.get(destroyed) ?? {
    ...accounts,
    acl: accounts.acl.filter(({ path }) => !destroyed.has(Number(VM_PATH.exec(path)?.[1] ?? 0))),
  };
  known.set(destroyed, made);
  return made;
};

const ofSubject = (weigh: Weigh, who: string, path: string): PathRights => {
  if (who === ROOT) return new Map(privilegesOf(weigh.dialect).map((privilege) => [privilege, true]));
  const own = written(weigh, who, path);
  const vmid = VM_PATH.exec(path)?.[1];
  const pool = vmid === undefined ? undefined : weigh.poolOf(Number(vmid));
  return pool === undefined ? own : new Map([...written(weigh, who, `/pool/${pool}`), ...own]);
};

export const rightsAt = (weigh: Weigh, { token, user }: Who, path: string): PathRights => {
  const ofUser = ofSubject(weigh, user, path);
  if (token === undefined || !token.isSeparated) return ofUser;
  return new Map([...ofSubject(weigh, token.id, path)].filter(([privilege]) => ofUser.has(privilege)));
};

/** The paths that somebody has anything at, with what stands there. */
export const allRights = (weigh: Weigh, who: Who): ReadonlyMap<string, PathRights> => {
  const paths = ["/", "/access", "/nodes", "/pool", "/sdn", "/storage", "/vms"];
  const all = [...new Set([...paths, ...weigh.accounts.acl.map(({ path }) => path)])].toSorted();
  return new Map(
    all.map((path) => [path, rightsAt(weigh, who, path)] as const).filter(([, rights]) => rights.size > 0),
  );
};

export type Need = { readonly path: string; readonly privileges: readonly string[]; readonly isAny?: boolean };

export const isPermitted = (weigh: Weigh, who: Who, { isAny, path, privileges }: Need): boolean => {
  const rights = rightsAt(weigh, who, path);
  return isAny === true ? privileges.some((one) => rights.has(one)) : privileges.every((one) => rights.has(one));
};

export const forbidden = ({ isAny, path, privileges }: Need): string =>
  `Permission check failed (${path}, ${privileges.join(isAny === true ? "|" : ", ")})`;
