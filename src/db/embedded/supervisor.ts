import type { ChildProcess } from 'node:child_process';
import { type Log, type ServedCluster, launch, shutDown } from './launch.ts';
import { endLeftovers } from './processes.ts';

const restartWindowMs = 10 * 60 * 1000;

/**
 * Restarts a server that exited, on the same port, so that an out-of-memory kill costs listeners a moment. Gives up
 * after a second exit within ten minutes, or a failed restart.
 */
export function supervise({
  cluster,
  child: firstChild,
  port,
  log,
}: {
  cluster: ServedCluster;
  child: ChildProcess;
  port: number;
  log: Log;
}) {
  let child = firstChild;
  let lastRestart = -Infinity;
  let restarting: Promise<void> = Promise.resolve();
  let stopped: Promise<void> | undefined;
  let givenUp: string | undefined;
  const callbacks: ((reason: string) => void)[] = [];
  watch();

  return {
    /** Idempotent. */
    stop(): Promise<void> {
      stopped ??= restarting.then(() => shutDown(cluster, child));
      return stopped;
    },
    /** Calls back once, even when the server was given up before the call. */
    onGivenUp(callback: (reason: string) => void): void {
      if (givenUp === undefined) callbacks.push(callback);
      else callback(givenUp);
    },
  };

  function watch(): void {
    child.once('exit', (code, signal) => {
      if (stopped) return;
      const event = `the database server ended unexpectedly (${signal ?? `code ${code}`})`;
      if (performance.now() - lastRestart < restartWindowMs)
        return abandon(`${event} for the second time; see ${cluster.logDir}`);
      log.warn(`${event}; starting it again`);
      lastRestart = performance.now();
      restarting = restart();
    });
  }

  async function restart(): Promise<void> {
    try {
      await endLeftovers(cluster.directory);
      child = await launch(cluster, port, log);
      watch();
    } catch (error) {
      abandon(`the database server ended and cannot be started again: ${(error as Error).message}`);
    }
  }

  function abandon(reason: string): void {
    if (stopped) return;
    givenUp = reason;
    for (const callback of callbacks.splice(0)) callback(reason);
  }
}
