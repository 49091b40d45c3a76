// Which addresses are PostgreSQL's. A file of its own, so that the descriptor asks without loading the driver.

const SCHEME = /^postgres(?:ql)?:\/\//;

export const isPostgresUrl = (address: string): boolean => SCHEME.test(address);
