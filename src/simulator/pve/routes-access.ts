// Methods about access: a ticket for a password, and the effective permissions of whoever asks.

import { present } from "../../spine/values/present.ts";
import { allRights, isPermitted, type PathRights, rightsAt } from "./access.ts";
import { data, notPermitted, type Replied, soon } from "./api-reply.ts";
import type { Context, Route } from "./route.ts";
import { required, TEXT } from "./schema.ts";
import { csrfFor, ticketFor, userOfTicket } from "./sign-in.ts";

/** Wrong credentials are answered late. */
export const DENIED_MS = 3000;

const ticket = ({ params, setup, world }: Context): Replied => {
  const { accounts, seed } = setup;
  const given = params.get("username") ?? "";
  const realm = params.get("realm");
  const user = given.includes("@") ? given : `${given}@${realm ?? "pam"}`;
  const password = params.get("password") ?? "";
  const account = accounts.users.find(({ name }) => name === user);
  const isRenewed = userOfTicket(password, seed, world.nowMs) === user;
  const isRight = account?.password !== undefined && account.password === password;
  if (account === undefined || !(isRenewed || isRight)) {
    return { delayMs: DENIED_MS, reply: { kind: "error", status: 401, text: "authentication failure\n" } };
  }
  return soon(
    data({
      CSRFPreventionToken: csrfFor(user, seed, world.nowMs),
      cap: { access: {}, dc: {}, nodes: {}, storage: {}, vms: {} },
      ...present({ clustername: world.cluster }),
      ticket: ticketFor(user, seed, world.nowMs),
      username: user,
    }),
  );
};

const flags = (rights: PathRights): Readonly<Record<string, number>> =>
  Object.fromEntries([...rights].map(([privilege, isPropagated]) => [privilege, isPropagated ? 1 : 0]));

const permissions = ({ params, weigh, who }: Context): Replied => {
  const path = params.get("path");
  const asked = params.get("userid");
  if (asked !== undefined && asked !== who.user && asked !== who.token?.id) {
    return soon(notPermitted("Permission check failed (/access, Sys.Audit)"));
  }
  if (path !== undefined) return soon(data({ [path]: flags(rightsAt(weigh, who, path)) }));
  return soon(data(Object.fromEntries([...allRights(weigh, who)].map(([at, rights]) => [at, flags(rights)]))));
};

/** Whole for those who may audit it, and otherwise what somebody may change: pve-access-control src/PVE/API2/ACL.pm. */
const accessList = ({ weigh, who }: Context): Replied => {
  const mayAudit = isPermitted(weigh, who, { path: "/access", privileges: ["Sys.Audit"] });
  const rows = weigh.accounts.acl
    .filter(({ path }) => mayAudit || isPermitted(weigh, who, { path, privileges: ["Permissions.Modify"] }))
    .map(({ isPropagated, path, role, who: whose }) => ({
      path,
      propagate: isPropagated ? 1 : 0,
      roleid: role,
      type: whose.includes("!") ? "token" : "user",
      ugid: whose,
    }));
  return soon(data(rows));
};

export const ACCESS_ROUTES: readonly Route[] = [
  {
    answer: ticket,
    isOpen: true,
    method: "POST",
    path: "/access/ticket",
    schema: {
      "new-format": TEXT,
      otp: TEXT,
      password: required(TEXT),
      path: TEXT,
      privs: TEXT,
      realm: TEXT,
      "tfa-challenge": TEXT,
      username: required(TEXT),
    },
  },
  { answer: () => soon(data(null)), isOpen: true, method: "GET", path: "/access/ticket", schema: {} },
  {
    answer: () =>
      soon(
        data([
          { comment: "Linux PAM standard authentication", realm: "pam", type: "pam" },
          { comment: "Proxmox VE authentication server", realm: "pve", type: "pve" },
        ]),
      ),
    isOpen: true,
    method: "GET",
    path: "/access/domains",
    schema: {},
  },
  { answer: accessList, method: "GET", path: "/access/acl", schema: {} },
  { answer: permissions, method: "GET", path: "/access/permissions", schema: { path: TEXT, userid: TEXT } },
];
