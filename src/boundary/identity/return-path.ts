// Where somebody goes on who had to sign in first: a page of ours and nothing else, whatever the address says.

const APPROVAL = /^\/approve\/[0-9A-Za-z]{1,26}\/[1-9][0-9]{0,8}$/;

/** Undefined where it is none of our pages; nobody is ever sent to another site. */
export const returnPath = (text: unknown): string | undefined =>
  typeof text === "string" && APPROVAL.test(text) ? text : undefined;
