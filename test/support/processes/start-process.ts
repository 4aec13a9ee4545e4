import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { root } from '../../../bench/site-process.ts';
import { testSecret } from '../identity.ts';

/** A site in a process of its own, as an operator starts it. */
export function startProcess(settings: Record<string, string>): ChildProcess {
  const { VITEST: _test, ...environment } = process.env;
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'src/main.ts'], {
    cwd: root,
    env: { ...environment, NODE_ENV: 'production', PORT: '0', LOG_LEVEL: 'warn', SECRET: testSecret, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Exit code and all output of a start that is refused. */
export async function refusedStart(settings: Record<string, string>): Promise<{ code: number; output: string }> {
  const child = startProcess(settings);
  if (child.stdout === null || child.stderr === null) throw new Error('the output is not piped');
  const [[code], out, err] = await Promise.all([
    once(child, 'exit') as Promise<[number]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, output: out + err };
}
