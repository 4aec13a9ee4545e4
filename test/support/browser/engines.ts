import { type ChildProcess, spawn } from 'node:child_process';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Page, chromium } from 'playwright-core';
import { stopProcess } from '../../../bench/site-process.ts';
import { findFreePort } from '../servers/free-port.ts';

/** A tab with its own cookies and storage, by what Chromium, Firefox and WebKit can all do. */
export type EngineTab = {
  goTo(url: string): Promise<void>;
  /** Evaluates an expression in the page; its value must be JSON. */
  read(expression: string): Promise<unknown>;
  /** Moves and presses a real pointer, or types real keys. */
  act(source: ActionSource): Promise<void>;
  /** Absent where the zone is fixed at the start. */
  setTimeZone?(name: string): Promise<void>;
  /** Errors that no script of its pages caught; undefined where the browser does not tell. */
  errors: string[] | undefined;
  close(): Promise<void>;
};

export type Engine = { newTab(): Promise<EngineTab>; close(): Promise<void> };

/** A step of a pointer, in WebDriver's format (https://www.w3.org/TR/webdriver2/#actions); x and y are the window's. */
export type PointerStep =
  | { type: 'pointerMove'; x: number; y: number }
  | { type: 'pointerDown' | 'pointerUp'; button: 0 };
export type KeyStep = { type: 'keyDown' | 'keyUp'; value: string };
export type ActionSource =
  | { type: 'pointer'; id: string; actions: PointerStep[] }
  | { type: 'key'; id: string; actions: KeyStep[] };

/** WebDriver's codes of keys without a character (https://www.w3.org/TR/webdriver2/#keyboard-actions). */
export const keyCodes: Record<string, string> = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Shift: '\uE008',
  Control: '\uE009',
  Alt: '\uE00A',
  Escape: '\uE00C',
  PageUp: '\uE00E',
  PageDown: '\uE00F',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Delete: '\uE017',
  F6: '\uE036',
  Meta: '\uE03D',
};
const keyNames = new Map(Object.entries(keyCodes).map(([name, code]) => [code, name]));
const size = { width: 1440, height: 900 };
/** Its own limit for a page to load is five minutes. */
const driverLimitMs = 60_000;

/** The time zone is the system's, as for users; without one, this process's. */
export async function openChromium({ browser }: ChromiumPrograms, timeZone?: string): Promise<Engine> {
  const program = await chromium.launch({
    executablePath: browser,
    args: ['--mute-audio', '--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    env: inZone(timeZone),
  });
  return {
    async newTab() {
      const context = await program.newContext({ viewport: size });
      const page = await context.newPage();
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      const session = await context.newCDPSession(page);
      return {
        errors,
        goTo: async (url) => void (await page.goto(url)),
        read: (expression) => page.evaluate(expression),
        async act({ type, actions }) {
          // Keys all at once: between two, a slow machine would let a debounce pass.
          if (type === 'key') await Promise.all(actions.map((step) => take(page, step)));
          else for (const step of actions) await take(page, step);
        },
        setTimeZone: async (timezoneId) => void (await session.send('Emulation.setTimezoneOverride', { timezoneId })),
        close: () => context.close(),
      };
    },
    close: () => program.close(),
  };
}

/** Firefox by WebDriver BiDi. It cannot seek without a sound device, so it gets a silent one. */
export async function openFirefox(
  { browser, sound }: FirefoxPrograms,
  timeZone?: string,
  ownSettings: Record<string, number> = {},
): Promise<Engine> {
  const profile = await mkdtemp(join(tmpdir(), 'sotto-firefox-'));
  const device = join(profile, 'sound');
  const environment = {
    ...inZone(timeZone),
    HOME: profile,
    XDG_RUNTIME_DIR: profile,
    PULSE_SERVER: `unix:${device}`,
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
    ...ownSettings,
  };
  const lines = Object.entries(settings).map(([name, value]) => `user_pref("${name}", ${value});\n`);
  await writeFile(join(profile, 'user.js'), lines.join(''));
  const firefox = spawn(
    browser,
    [
      '--headless',
      '--no-remote',
      '--remote-debugging-port=0',
      '--profile',
      profile,
      `--width=${size.width}`,
      `--height=${size.height}`,
    ],
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
  const errorsOf = new Map<string, string[]>();
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer | LogEntry;
    if ('id' in answer) return waiting.get(answer.id)?.(answer);
    const { type, level, text, source } = answer.params;
    // Notes on fonts and styles come as errors of scripts.
    if (type === 'javascript' && level === 'error' && /^\w*Error\b/.test(text))
      errorsOf.get(source.context)?.push(text);
  });
  type Answer = { id: number; type: string; message?: string; result: Record<string, unknown> };
  type LogEntry = {
    method: string;
    params: { type: string; level: string; text: string; source: { context: string } };
  };
  async function send(method: string, params: object): Promise<Answer['result']> {
    const id = (asked += 1);
    const coming = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const { type, message, result } = await coming;
    waiting.delete(id);
    if (type === 'error') throw new Error(`${method}: ${message}`);
    return result;
  }
  await send('session.new', { capabilities: {} });
  await send('session.subscribe', { events: ['log.entryAdded'] });
  return {
    async newTab() {
      const { userContext } = await send('browser.createUserContext', {});
      const created = await send('browsingContext.create', { type: 'tab', userContext });
      const context = String(created['context']);
      await send('browsingContext.setViewport', { context, viewport: size });
      const errors: string[] = [];
      errorsOf.set(context, errors);
      return {
        errors,
        goTo: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
        async read(expression) {
          const answer = await send('script.evaluate', {
            expression: `JSON.stringify(${expression})`,
            target: { context },
            awaitPromise: false,
          });
          const { result, exceptionDetails } = answer as {
            result?: { value?: string };
            exceptionDetails?: { text: string };
          };
          if (exceptionDetails) throw new Error(exceptionDetails.text);
          return JSON.parse(result?.value ?? 'null');
        },
        act: async (source) => void (await send('input.performActions', { context, actions: [source] })),
        close: async () => void (await send('browser.removeUserContext', { userContext })),
      };
    },
    async close() {
      socket.close();
      await stopProcess(firefox);
      await stopProcess(speaker);
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** WebKitGTK by its own driver, on a virtual screen, because it has no headless mode. */
export async function openWebKit({ driver, browser, screen }: WebKitPrograms, timeZone?: string): Promise<Engine> {
  const display = spawn(
    screen,
    ['-displayfd', '3', '-screen', '0', `${size.width}x${size.height}x24`, '-nolisten', 'tcp'],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    },
  );
  const number = await new Promise<string>((resolve, reject) => {
    display.stdio[3]?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
    display.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}`)));
  });
  const port = await findFreePort();
  const program = spawn(driver, [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...inZone(timeZone), DISPLAY: `:${number}`, NO_AT_BRIDGE: '1' },
  });
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const what = `${method} ${path} ${JSON.stringify(body ?? {}).slice(0, 200)}`;
    try {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        signal: AbortSignal.timeout(driverLimitMs),
        ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      const { value } = (await answer.json()) as { value: { message?: string } | null };
      if (!answer.ok) throw new Error(value?.message);
      return value;
    } catch (cause) {
      throw new Error(`The driver of WebKit failed at ${what}`, { cause });
    }
  };
  await untilReady(() => call('GET', '/status'));
  let ended = async () => {};
  return {
    // The driver runs one session at a time, each in a browser without anything stored.
    async newTab() {
      await ended();
      const { sessionId } = (await call('POST', '/session', {
        capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] } } },
      })) as { sessionId: string };
      const session = `/session/${sessionId}`;
      ended = async () => {
        ended = async () => {};
        await call('DELETE', session);
      };
      await call('POST', `${session}/window/rect`, { x: 0, y: 0, ...size });
      return {
        errors: undefined,
        goTo: async (url) => void (await call('POST', `${session}/url`, { url })),
        read: (expression) => call('POST', `${session}/execute/sync`, { script: `return ${expression}`, args: [] }),
        act: async (source) => void (await call('POST', `${session}/actions`, { actions: [source] })),
        close: () => ended(),
      };
    },
    async close() {
      await ended();
      await stopProcess(program);
      await stopProcess(display);
    },
  };
}

type ChromiumPrograms = { browser: string | undefined };
export type FirefoxPrograms = { browser: string; sound: string };
export type WebKitPrograms = { driver: string; browser: string; screen: string };

function inZone(timeZone: string | undefined): NodeJS.ProcessEnv {
  return timeZone === undefined ? process.env : { ...process.env, TZ: timeZone };
}

async function take({ mouse, keyboard }: Page, step: PointerStep | KeyStep): Promise<void> {
  switch (step.type) {
    case 'pointerMove':
      return mouse.move(step.x, step.y);
    case 'pointerDown':
      return mouse.down();
    case 'pointerUp':
      return mouse.up();
    case 'keyDown':
      return keyboard.down(keyNames.get(step.value) ?? step.value);
    case 'keyUp':
      return keyboard.up(keyNames.get(step.value) ?? step.value);
  }
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
