import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { callLimits } from '#gateways/call-limits.ts';

export type Silence = {
  /** Sent when a connection opens. */
  greeting?: string;
  /** Sent after the first bytes that arrive. */
  beginning?: string;
  /** Sent again and again afterwards: the peer is never quite silent. */
  trickle?: { text: string; everyMs: number };
};

export type SilentPeer = {
  port: number;
  /** `127.0.0.1:<port>` */
  host: string;
  /** Connections that it accepted. */
  connections(): number;
  /** From now on, what listens there answers new connections. */
  answerBy(port: number): void;
  /** From now on, connections are closed at once, and those that are open. */
  refuse(isRefusing: boolean): void;
  close(): Promise<void>;
};

/** A TCP server that accepts connections, reads what arrives, and never answers as it should. */
export async function openSilentPeer({ greeting, beginning, trickle }: Silence = {}): Promise<SilentPeer> {
  const open = new Set<Socket>();
  let count = 0;
  let answering: number | undefined;
  let isRefusing = false;

  function add(socket: Socket, onClose: () => void): void {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      open.delete(socket);
      onClose();
    });
  }

  const server = createServer((near) => {
    count += 1;
    if (isRefusing) return void near.destroy();
    if (answering !== undefined) {
      const far = connect(answering, '127.0.0.1');
      add(near, () => far.destroy());
      add(far, () => near.destroy());
      near.pipe(far).pipe(near);
      return;
    }
    let timer: NodeJS.Timeout | undefined;
    add(near, () => clearInterval(timer));
    if (greeting !== undefined) near.write(greeting);
    near.once('data', () => {
      if (beginning !== undefined) near.write(beginning);
      if (trickle !== undefined) timer = setInterval(() => near.write(trickle.text), trickle.everyMs);
    });
    near.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    host: `127.0.0.1:${port}`,
    connections: () => count,
    answerBy(realPort) {
      answering = realPort;
    },
    refuse(is) {
      isRefusing = is;
      for (const socket of open) socket.destroy();
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

/** No test waits longer than this for a limit to end. */
const maxMs = 2000;

/**
 * Makes all limits of outside calls that many times shorter. A call whose figures do not come from `callLimits` takes
 * as long as before.
 * @returns restores them
 */
export function shortenCallLimits(times: number): () => void {
  const before = structuredClone(callLimits);
  for (const limit of Object.values<Record<string, unknown>>(callLimits))
    for (const [name, value] of Object.entries(limit))
      if (name.endsWith('Ms')) limit[name] = Math.min(maxMs, Math.ceil((value as number) / times));
  return () => {
    for (const [name, limit] of Object.entries(before)) Object.assign(callLimits[name as keyof typeof before], limit);
  };
}
