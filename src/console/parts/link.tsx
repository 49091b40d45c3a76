// A link to another page of the console: an ordinary link, followed without loading everything anew.

import type { ReactNode } from "react";
import { type Address, pathTo } from "../page-address.ts";

export const Link = ({ children, to }: { readonly children: ReactNode; readonly to: Address }): ReactNode => (
  <a href={pathTo(to)}>{children}</a>
);
