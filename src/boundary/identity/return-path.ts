// Where somebody goes on who had to sign in first: a page of ours and nothing else, whatever the address says.

/**
 * Letters and signs of our own addresses: nothing that a browser reads as another site. Anybody may bring a text here:
 * there is one way to read each, so that none takes long.
 */
const CONSOLE =
  /^\/console\/(?:[0-9A-Za-z._~:,=&+%-]+(?:\/[0-9A-Za-z._~:,=&+%-]+)*\/?)?(?:\?[0-9A-Za-z._~:,=&+%/-]*)?$/;
const APPROVAL = /^\/approve\/[0-9A-Za-z]{1,26}\/[1-9][0-9]{0,8}$/;

const PATH_MAX = 1_000;

/** Undefined where it is none of our pages; nobody is ever sent to another site. */
export const returnPath = (text: unknown): string | undefined =>
  typeof text === "string" && text.length <= PATH_MAX && (APPROVAL.test(text) || CONSOLE.test(text)) ? text : undefined;
