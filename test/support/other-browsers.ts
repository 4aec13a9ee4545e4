import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import { stopProcess } from '../../bench/site-process.ts';
import { findFreePort } from './free-port.ts';

/** One page of a browser that is not Chromium. */
export type OtherPage = {
  goTo(url: string): Promise<void>;
  /** Evaluates an expression in the page; its value must be JSON. */
  read(expression: string): Promise<unknown>;
  /** Moves, presses and releases a real pointer, or types a key; in WebDriver's format. */
  act(source: object): Promise<void>;
  close(): Promise<void>;
};

/** Firefox by WebDriver BiDi. It cannot seek without a sound device, so it gets a silent one. */
export async function openFirefox({ browser, sound }: FirefoxPrograms, timeZone = 'UTC'): Promise<OtherPage> {
  const profile = await mkdtemp(join(tmpdir(), 'sotto-firefox-'));
  const device = join(profile, 'sound');
  const environment = {
    ...process.env,
    HOME: profile,
    XDG_RUNTIME_DIR: profile,
    PULSE_SERVER: `unix:${device}`,
    TZ: timeZone,
  };
  const modules = ['module-null-sink', `module-native-protocol-unix socket=${device} auth-anonymous=1`];
  const speaker = spawn(
    sound,
    ['-n', '--daemonize=no', '--use-pid-file=no', '--exit-idle-time=-1', ...modules.flatMap((one) => ['-L', one])],
    { stdio: 'ignore', env: environment },
  );
  await untilReady(() => access(device));
  // 0 allows autoplay; the others keep the first start from loading pages and prompting.
  const settings = {
    'media.autoplay.default': 0,
    'browser.shell.checkDefaultBrowser': false,
    'remote.active-protocols': 1,
  };
  const lines = Object.entries(settings).map(([name, value]) => `user_pref("${name}", ${value});\n`);
  await writeFile(join(profile, 'user.js'), lines.join(''));
  const firefox = spawn(
    browser,
    ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', profile, '--width=1440', '--height=900'],
    { stdio: ['ignore', 'ignore', 'pipe'], env: environment },
  );
  const [, address = ''] = await untilOutput(firefox, /WebDriver BiDi listening on (ws:\S+)/);
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', reject, { once: true });
  });
  let asked = 0;
  const waiting = new Map<number, (answer: Answer) => void>();
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer;
    waiting.get(answer.id)?.(answer);
  });
  type Answer = { id: number; type: string; message?: string; result: Record<string, never> };
  async function send(method: string, params: object): Promise<Answer['result']> {
    const id = (asked += 1);
    const coming = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const { type, message, result } = await coming;
    if (type === 'error') throw new Error(`${method}: ${message}`);
    return result;
  }
  await send('session.new', { capabilities: {} });
  const tree = (await send('browsingContext.getTree', {})) as { contexts?: { context: string }[] };
  const context = tree.contexts?.[0]?.context;
  return {
    goTo: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
    async read(expression) {
      const { result } = (await send('script.evaluate', {
        expression: `JSON.stringify(${expression})`,
        target: { context },
        awaitPromise: false,
      })) as { result?: { value?: string } };
      return JSON.parse(result?.value ?? 'null');
    },
    act: async (source) => void (await send('input.performActions', { context, actions: [source] })),
    async close() {
      socket.close();
      await stopProcess(firefox);
      await stopProcess(speaker);
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** WebKitGTK by its own driver, on a virtual screen, because it has no headless mode. */
export async function openWebKit({ driver, browser, screen }: WebKitPrograms, timeZone = 'UTC'): Promise<OtherPage> {
  const display = spawn(screen, ['-displayfd', '3', '-screen', '0', '1440x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const number = await new Promise<string>((resolve, reject) => {
    display.stdio[3]?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
    display.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}`)));
  });
  const port = await findFreePort();
  const program = spawn(driver, [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: `:${number}`, NO_AT_BRIDGE: '1', TZ: timeZone },
  });
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const { value } = (await answer.json()) as { value: { message?: string } | null };
    if (!answer.ok) throw new Error(`${path}: ${value?.message}`);
    return value;
  };
  await untilReady(() => call('GET', '/status'));
  const { sessionId } = (await call('POST', '/session', {
    capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] } } },
  })) as { sessionId: string };
  const session = `/session/${sessionId}`;
  return {
    goTo: async (url) => void (await call('POST', `${session}/url`, { url })),
    read: (expression) => call('POST', `${session}/execute/sync`, { script: `return ${expression}`, args: [] }),
    act: async (source) => void (await call('POST', `${session}/actions`, { actions: [source] })),
    async close() {
      await call('DELETE', session);
      await stopProcess(program);
      await stopProcess(display);
    },
  };
}

export type FirefoxPrograms = { browser: string; sound: string };
export type WebKitPrograms = { driver: string; browser: string; screen: string };

/** Presses the middle of the first visible element of this selector whose text begins with this. */
export async function press(page: OtherPage, selector: string, text = ''): Promise<void> {
  const middle = async () =>
    (await page.read(`(() => {
      const found = [...document.querySelectorAll(${JSON.stringify(selector)})]
        .find((one) => one.checkVisibility() && one.textContent.startsWith(${JSON.stringify(text)}));
      found?.scrollIntoView({ block: 'center' });
      const box = found?.getBoundingClientRect();
      return box ? { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) } : null;
    })()`)) as { x: number; y: number } | null;
  await expect.poll(middle).not.toBeNull();
  const at = await middle();
  await page.act({
    type: 'pointer',
    id: 'mouse',
    actions: [
      { type: 'pointerMove', duration: 0, ...at },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ],
  });
}

/** Not `vi.waitFor`, which works in tests only. */
async function untilReady(check: () => Promise<unknown>): Promise<void> {
  for (const end = Date.now() + 30_000; ; await setTimeout(50))
    try {
      return void (await check());
    } catch (error) {
      if (Date.now() > end) throw error;
    }
}

function untilOutput(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const match = pattern.exec(text);
      if (match) resolve(match);
    });
    child.once('exit', (code) => reject(new Error(`It ended with ${code}: ${text}`)));
    child.once('error', reject);
  });
}
