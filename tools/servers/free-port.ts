// A port of the loopback interface that nobody listens on, as the system chooses it.
//
// Another process may take it before the server does; who starts a server tries again then.

import { createServer } from "node:net";

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        address === null || typeof address === "string"
          ? reject(new Error("the system gave no port"))
          : resolve(address.port),
      );
    });
  });
