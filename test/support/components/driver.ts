import { fileURLToPath } from 'node:url';
import { defineBrowserProvider, parseKeyDef } from '@vitest/browser';
import type { Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import type { BrowserCommand, BrowserProvider, BrowserProviderOption, TestProject } from 'vitest/node';
import { openFirefox, openWebKit } from '../other-browsers.ts';
import type * as Context from '@vitest/browser/context';
import type { FirefoxPrograms, OtherPage, WebKitPrograms } from '../other-browsers.ts';

/** A step of a pointer, in WebDriver's format (https://www.w3.org/TR/webdriver2/#actions); x and y are the window's. */
export type PointerStep =
  | { type: 'pointerMove'; x: number; y: number }
  | { type: 'pointerDown' | 'pointerUp'; button: 0 };
type KeyStep = { type: 'keyDown' | 'keyUp'; value: string };
type Held = { unreleased: string[] };

type Browsers = { chromium: string | undefined; firefox?: FirefoxPrograms; webkit?: WebKitPrograms };
type DrivenPage = Pick<OtherPage, 'goTo' | 'act' | 'close'> & {
  /** Absent where the zone is fixed at the start. */
  setTimeZone?(name: string): Promise<void>;
};

declare module 'vitest/node' {
  interface BrowserCommandContext {
    page: () => Promise<DrivenPage>;
  }
}

// Vitest exports these types through the package of a provider.
declare module 'vitest/browser' {
  interface BrowserCommands {
    movePointer: (steps: PointerStep[]) => Promise<void>;
    /** In Chromium; the others keep theirs. */
    setTimeZone: (name: string) => Promise<void>;
  }
  export const commands: BrowserCommands;
  export const page: typeof Context.page;
  export const server: typeof Context.server;
  export const userEvent: typeof Context.userEvent;
}

/**
 * Runs component tests in Chromium, Firefox and WebKit as they are installed; Vitest's own providers need builds of
 * their own. Pointer and keys are real ones; elements are found in the page (locators.ts).
 */
export function driver(programs: Browsers): BrowserProviderOption {
  return defineBrowserProvider({
    name: 'driver',
    options: {},
    providerFactory: (project) => openProvider(project, () => open(project.config.browser.name, programs)),
  });
}

/** Moves, presses and releases the real pointer. */
export const movePointer: BrowserCommand<[PointerStep[]]> = async ({ page }, steps) =>
  (await page()).act({ type: 'pointer', id: 'mouse', actions: steps });

export const setTimeZone: BrowserCommand<[string]> = async ({ page }, name) => (await page()).setTimeZone?.(name);

function open(name: string, { chromium: path, firefox, webkit }: Browsers): Promise<DrivenPage> {
  if (name === 'firefox' && firefox) return openFirefox(firefox, 'Asia/Kolkata');
  if (name === 'webkit' && webkit) return openWebKit(webkit, 'Pacific/Auckland');
  return openChromium(path);
}

function openProvider(project: TestProject, openBrowser: () => Promise<DrivenPage>): BrowserProvider {
  let opened: Promise<DrivenPage> | undefined;
  const page = () => (opened ??= openBrowser());
  const keys = async (steps: KeyStep[]) => (await page()).act({ type: 'key', id: 'keyboard', actions: steps });
  const commands = {
    async __vitest_keyboard(_: unknown, text: string, { unreleased }: Held): Promise<Held> {
      const held = new Set(unreleased);
      await keys(keySteps(text, held));
      return { unreleased: [...held] };
    },
    __vitest_cleanup: (_: unknown, { unreleased }: Held) =>
      keys(unreleased.map((key) => ({ type: 'keyUp', value: codeOf(key) }))),
    __vitest_tab: (_: unknown, { shift = false }: { shift?: boolean } = {}) =>
      keys(keySteps(shift ? '{Shift>}{Tab}{/Shift}' : '{Tab}', new Set())),
  };
  for (const [name, command] of Object.entries(commands))
    project.browser?.registerCommand(name as never, command as never);
  return {
    name: 'driver',
    supportsParallelism: false,
    initScripts: [fileURLToPath(new URL('./locators.ts', import.meta.url))],
    getCommandsContext: () => ({ page }),
    openPage: async (_, url) => (await page()).goTo(url),
    close: async () => (await opened)?.close(),
  };
}

function keySteps(text: string, held: Set<string>): KeyStep[] {
  return parseKeyDef(text).flatMap<KeyStep>(({ keyDef: { key = '' }, releasePrevious, releaseSelf, repeat }) => {
    const value = codeOf(key);
    if (releasePrevious) {
      held.delete(key);
      return [{ type: 'keyUp', value }];
    }
    if (!releaseSelf) held.add(key);
    return [
      ...Array.from({ length: repeat }, () => ({ type: 'keyDown' as const, value })),
      ...(releaseSelf ? [{ type: 'keyUp' as const, value }] : []),
    ];
  });
}

/** WebDriver's codes of keys without a character (https://www.w3.org/TR/webdriver2/#keyboard-actions). */
const codes: Record<string, string> = {
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
const names = new Map(Object.entries(codes).map(([name, code]) => [code, name]));

function codeOf(key: string): string {
  const code = codes[key] ?? key;
  if ([...code].length !== 1) throw new Error(`The key ${key} has no code in driver.ts`);
  return code;
}

async function openChromium(executablePath: string | undefined): Promise<DrivenPage> {
  const args = ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
  const browser = await chromium.launch({ executablePath, args });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const session = await page.context().newCDPSession(page);
  return {
    goTo: async (url) => void (await page.goto(url)),
    async act(source) {
      for (const step of (source as { actions: (PointerStep | KeyStep)[] }).actions) await take(page, step);
    },
    setTimeZone: async (timezoneId) => void (await session.send('Emulation.setTimezoneOverride', { timezoneId })),
    close: () => browser.close(),
  };
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
      return keyboard.down(names.get(step.value) ?? step.value);
    case 'keyUp':
      return keyboard.up(names.get(step.value) ?? step.value);
  }
}
