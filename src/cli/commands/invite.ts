// dedalus invite: somebody may come once, with a link that is shown once, and sets a passkey or takes a token.

import { PEOPLE_ROLES } from "../../kernel/command/roles.ts";
import { daysIn, grantedRolesIn } from "../arguments/granted-roles.ts";
import { askService } from "../asking/at-service.ts";
import type { CommandRun } from "../command.ts";
import { badInput } from "../failed-outcome.ts";
import { findPlace } from "../files/find-server.ts";
import { expiryText } from "../views/age.ts";
import { grantsText } from "../views/grants-text.ts";

const EXPIRES_DEFAULT = "7d";

export const run: CommandRun = async (given, io) => {
  const granted = grantedRolesIn(given, PEOPLE_ROLES);
  if ("code" in granted) return badInput([granted]);
  const [name = ""] = given.positionals;
  const days = daysIn(given.text.get("expires") ?? EXPIRES_DEFAULT);
  return askService(
    given,
    io,
    ({ invite }) => invite,
    { ...granted, days, name },
    ({ value }) => {
      const { expiresAt, grants, link, seq } = value;
      const isAtFiles = findPlace(given, io).kind === "local";
      if (link !== undefined)
        io.deeds.showOnce(`${value.name} was invited and the link never shown; invite again, which ends that one`);
      return {
        exit: "done",
        json: value,
        text: (style) => [
          `invited ${value.name} (roles: ${grantsText(grants)}), ${expiryText(expiresAt, style)}; the link is shown only this once:`,
          link ?? "",
          `record ${seq}`,
          ...(link === undefined
            ? []
            : [
                style.dim(
                  "next: hand it to them alone, by a way that nobody else reads. They open it and set a passkey.",
                ),
                ...(isAtFiles
                  ? [style.dim("If the service was started before service.url was written, restart it first.")]
                  : []),
                style.dim(
                  `Whoever opens it first becomes ${value.name}: ask ${value.name} whether it worked, before they approve anything.`,
                ),
              ]),
        ],
      };
    },
  );
};
