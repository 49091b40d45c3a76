// Where a person decides on one step in a browser: a page of the service, under the address that its configuration
// names. Messages, answers and the door itself take it from here.

const APPROVAL_PATH = "/approve";

export const approvalPath = (plan: string, step: number): string => `${APPROVAL_PATH}/${plan}/${step}`;

/** Undefined where no address of the service is configured. */
export const approvalPage = (url: string | undefined, plan: string, step: number): string | undefined =>
  url === undefined ? undefined : `${url}${approvalPath(plan, step)}`;
