import { fileURLToPath } from 'node:url';
import { defineBrowserProvider, parseKeyDef } from '@vitest/browser';
import type { BrowserCommand, BrowserProvider, BrowserProviderOption, TestProject } from 'vitest/node';
import {
  keyCodes,
  openChromium,
  openFirefox,
  openWebKit,
  type Engine,
  type EngineTab,
  type FirefoxPrograms,
  type KeyStep,
  type PointerStep,
  type WebKitPrograms,
} from '../browser/engines.ts';
import type * as Context from '@vitest/browser/context';

type Held = { unreleased: string[] };
type Session = { sessionId: string };
type Browsers = { chromium: string | undefined; firefox?: FirefoxPrograms; webkit?: WebKitPrograms };

declare module 'vitest/node' {
  interface BrowserCommandContext {
    tab: () => Promise<EngineTab>;
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
export const movePointer: BrowserCommand<[PointerStep[]]> = async ({ tab }, actions) =>
  (await tab()).act({ type: 'pointer', id: 'mouse', actions });

export const setTimeZone: BrowserCommand<[string]> = async ({ tab }, name) => (await tab()).setTimeZone?.(name);

function open(name: string, { chromium, firefox, webkit }: Browsers): Promise<Engine> {
  if (name === 'firefox' && firefox) return openFirefox(firefox, 'Asia/Kolkata');
  if (name === 'webkit' && webkit) return openWebKit(webkit, 'Pacific/Auckland');
  return openChromium({ browser: chromium });
}

function openProvider(project: TestProject, openEngine: () => Promise<Engine>): BrowserProvider {
  let engine: Promise<Engine> | undefined;
  const tabs = new Map<string, Promise<EngineTab>>();
  function tabOf(session: string): Promise<EngineTab> {
    const tab = tabs.get(session) ?? (engine ??= openEngine()).then((started) => started.newTab());
    tabs.set(session, tab);
    return tab;
  }
  const keys = async (session: string, actions: KeyStep[]) =>
    (await tabOf(session)).act({ type: 'key', id: 'keyboard', actions });
  const commands = {
    async __vitest_keyboard({ sessionId }: Session, text: string, { unreleased }: Held): Promise<Held> {
      const held = new Set(unreleased);
      await keys(sessionId, keySteps(text, held));
      return { unreleased: [...held] };
    },
    __vitest_cleanup: ({ sessionId }: Session, { unreleased }: Held) =>
      keys(
        sessionId,
        unreleased.map((key) => ({ type: 'keyUp', value: codeOf(key) })),
      ),
    __vitest_tab: ({ sessionId }: Session, { shift = false }: { shift?: boolean } = {}) =>
      keys(sessionId, keySteps(shift ? '{Shift>}{Tab}{/Shift}' : '{Tab}', new Set())),
  };
  for (const [name, command] of Object.entries(commands))
    project.browser?.registerCommand(name as never, command as never);
  return {
    name: 'driver',
    // Only one tab of the others can have the focus.
    supportsParallelism: project.config.browser.name === 'chromium',
    initScripts: [fileURLToPath(new URL('./locators.ts', import.meta.url))],
    getCommandsContext: (session) => ({ tab: () => tabOf(session) }),
    openPage: async (session, url) => (await tabOf(session)).goTo(url),
    close: async () => (await engine)?.close(),
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

function codeOf(key: string): string {
  const code = keyCodes[key] ?? key;
  if ([...code].length !== 1) throw new Error(`The key ${key} has no code in engines.ts`);
  return code;
}
