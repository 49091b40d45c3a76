// A client on one connection, as bytes: what it sends is sent as it is, and so often as a test says.

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { TestContext } from "node:test";

/** Asks on one connection, one request after another; each reply as it came. */
export const connected = async (t: TestContext, port: number) => {
  const socket: Socket = connect(port, "127.0.0.1");
  t.after(() => socket.destroy());
  await once(socket, "connect");
  let held = "";
  socket.setEncoding("latin1");
  socket.on("data", (bytes) => {
    held += bytes;
  });
  const whole = (): string | undefined => {
    const end = held.indexOf("\r\n\r\n");
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(held)?.[1] ?? 0);
    return end < 0 || held.length < end + 4 + length ? undefined : held.slice(0, end + 4 + length);
  };
  return async (
    path: string,
    lines: readonly string[],
    { body = "", method = "GET" }: { readonly body?: string; readonly method?: string } = {},
  ): Promise<{ readonly status: number; readonly text: string }> => {
    const head = `${method} ${path} HTTP/1.1\r\n${lines.map((line) => `${line}\r\n`).join("")}\r\n`;
    socket.write(`${head}${body}`, "latin1");
    while (whole() === undefined) await once(socket, "data");
    const text = whole() ?? "";
    held = held.slice(text.length);
    return { status: Number(text.slice(9, 12)), text };
  };
};
