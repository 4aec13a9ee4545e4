import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '#test/support/servers/free-port.ts';

export const root = fileURLToPath(new URL('..', import.meta.url));

export type SiteProcess = {
  url: string;
  pid: number;
  readyAfter: number;
  stop(): Promise<void>;
  /** Kills it at once, like a power cut. */
  kill(): Promise<void>;
};

/**
 * Starts the built site as an operator would, on a free port. The site has to know the port in its address: it answers
 * requests to another host without its fastest caches.
 * @returns once it reports that it is ready
 */
export async function startSite(settings: Record<string, string>): Promise<SiteProcess> {
  const port = await findFreePort();
  const begin = performance.now();
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'src/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      // As `npm start` does.
      NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'sotto-start'),
      LOG_LEVEL: 'warn',
      CLIENT_CONNECTIONS: '100000',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await readLine(child, /Sotto is ready at (\S+)/);
  return {
    url,
    pid: child.pid ?? 0,
    readyAfter: performance.now() - begin,
    stop: () => stopProcess(child),
    kill: () => stopProcess(child, 'SIGKILL'),
  };
}

export async function readLine(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const match = pattern.exec(text);
      if (match?.[1] !== undefined) resolve(match[1]);
    });
    child.once('exit', (code) => reject(new Error(`The process ended with ${code} before it was ready`)));
  });
}

export async function stopProcess(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}
