import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

export type DatabaseProxy = {
  /** The database's URL, through the proxy. */
  url: string;
  /** Mode for all traffic from now on; `refuse` also closes open connections. */
  set(mode: 'pass' | 'hold' | 'refuse'): Promise<void>;
  /** Sends new connections elsewhere, for example to the same database on another port. */
  aim(databaseUrl: string): void;
  /** Closes open connections, even busy ones. */
  cut(): void;
  close(): Promise<void>;
};

/** A TCP proxy before a database, to simulate failures of network and server. */
export async function openDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  let { hostname, port } = new URL(databaseUrl);
  const open = new Set<Socket>();
  let held = false;

  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
      from.on('data', (bytes) => void (held || to.write(bytes)));
    }
  });
  const listen = (on: number) => new Promise<void>((resolve) => server.listen(on, '127.0.0.1', resolve));
  await listen(0);
  const address = server.address() as AddressInfo;
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${address.port}`;

  function cut(): void {
    for (const socket of open) socket.destroy();
  }
  async function close(): Promise<void> {
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    cut();
    await closed;
  }
  return {
    url: url.href,
    async set(mode) {
      held = mode === 'hold';
      if (mode === 'refuse') await close();
      else if (!server.listening) await listen(address.port);
    },
    aim(newUrl) {
      ({ hostname, port } = new URL(newUrl));
    },
    cut,
    close,
  };
}
