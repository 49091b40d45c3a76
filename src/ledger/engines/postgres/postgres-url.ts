// Whether an address is one of PostgreSQL's. Apart from the rest, so that asking does not load the driver.

const SCHEME = /^postgres(?:ql)?:\/\//;

export const isPostgresUrl = (address: string): boolean => SCHEME.test(address);
