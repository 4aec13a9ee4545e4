import { expect } from 'vitest';
import type { EngineTab } from './engines.ts';

/** A selector, and how the element's name (`aria-label`, label or text) begins. */
type Target = [selector: string, name?: string];
type Point = { x: number; y: number };

export type EnginePage = ReturnType<typeof enginePage>;

/** Acts and looks of a person in a tab of any browser; each step waits until it is possible. */
export function enginePage(tab: EngineTab, siteUrl: string) {
  const find = ([selector, name = '']: Target) => `[...document.querySelectorAll(${JSON.stringify(selector)})].find(
    (one) => one.checkVisibility() &&
      (one.getAttribute('aria-label') ?? (one.labels?.[0] ?? one).innerText ?? '').replaceAll(/\\s+/g, ' ').trim().startsWith(${JSON.stringify(name)}))`;
  const read = async <T>(expression: string) => (await tab.read(expression)) as T;

  /** Middle of the element once it is enabled, still, and not covered. */
  function place(target: Target): Promise<Point | null> {
    return read(`(() => {
      const found = ${find(target)};
      if (found === undefined || found.matches(':disabled, [aria-disabled=true]')) return null;
      found.scrollIntoView({ block: 'center', behavior: 'instant' });
      const box = found.getBoundingClientRect();
      const at = { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) };
      const moves = document.getAnimations().some(({ playState, effect }) =>
        playState === 'running' && effect.getComputedTiming().endTime < 2000 && effect.target?.contains(found));
      const top = document.elementFromPoint(at.x, at.y);
      return !moves && [found, ...(found.labels ?? [])].some((one) => one.contains(top)) ? at : null;
    })()`);
  }

  /** Value of a promise in the page. WebKit's driver cannot wait for one. */
  async function settled<T>(expression: string): Promise<T> {
    const name = `settled${crypto.randomUUID().replaceAll('-', '')}`;
    await read(`(${expression}).then((value) => (window.${name} = { value })) && null`);
    await expect.poll(() => read(`window.${name} ?? null`), { message: expression }).not.toBeNull();
    return read(`window.${name}.value`);
  }

  const isShown = (...target: Target) => read<boolean>(`${find(target)} !== undefined`);

  async function see(...target: Target): Promise<void> {
    await expect.poll(() => isShown(...target), { message: `sees ${target.join(' ')}` }).toBe(true);
  }

  async function press(...target: Target): Promise<void> {
    const places: (Point | null)[] = [];
    // Twice at the same place: what loads above it may still move it.
    const isStill = async () => {
      places.unshift(await place(target));
      const [now, before] = places;
      return now && before && now.x === before.x && now.y === before.y;
    };
    await expect.poll(isStill, { message: `can press ${target.join(' ')}` }).toBe(true);
    await tab.act({
      type: 'pointer',
      id: 'mouse',
      actions: [
        { type: 'pointerMove', ...(places[0] ?? expect.fail()) },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ],
    });
  }

  /** Presses and releases each key: a character, or one of `keyCodes`. */
  function type(text: string): Promise<void> {
    const actions = [...text].flatMap((value) => [
      { type: 'keyDown', value } as const,
      { type: 'keyUp', value } as const,
    ]);
    return tab.act({ type: 'key', id: 'keyboard', actions });
  }

  return {
    read,
    settled,
    isShown,
    see,
    press,
    type,
    async gone(...target: Target): Promise<void> {
      await expect.poll(() => isShown(...target), { message: `no longer sees ${target.join(' ')}` }).toBe(false);
    },
    /** Presses the field, and types over what is in it. */
    async fill(target: Target, text: string): Promise<void> {
      await press(...target);
      await expect.poll(() => read(`document.activeElement === ${find(target)}`)).toBe(true);
      await read('document.activeElement.select() ?? null');
      await type(text);
    },
    /** Browsers have different pickers of days and times, so the value is set as a picker does. */
    async choose(target: Target, value: string): Promise<void> {
      await see(...target);
      await read(`(() => {
        const field = ${find(target)};
        const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value');
        set.call(field, ${JSON.stringify(value)});
        for (const name of ['input', 'change']) field.dispatchEvent(new Event(name, { bubbles: true }));
        return null;
      })()`);
      await expect.poll(() => read(`${find(target)}.value`)).toBe(value);
    },
    value: (...target: Target) => read<string | null>(`(${find(target)})?.value ?? null`),
    text: (...target: Target) => read<string | null>(`(${find(target)})?.textContent ?? null`),
    /** Loads a page, and waits until React has taken over. */
    async goTo(path: string): Promise<void> {
      await tab.goTo(new URL(path, siteUrl).href);
      await expect
        .poll(() =>
          read(`(() => {
            const key = Object.keys(document).find((name) => name.startsWith('__reactContainer'));
            return key !== undefined && !document[key].stateNode.current.memoizedState.isDehydrated && !('earlyPress' in window);
          })()`),
        )
        .toBe(true);
    },
    sound: () =>
      read<{ time: number; paused: boolean; src: string; same: boolean }>(
        `(({ currentTime, paused, currentSrc, dataset }) =>
          ({ time: currentTime, paused, src: currentSrc, same: 'same' in dataset }))(document.querySelector('audio'))`,
      ),
    /** Calls the API as the page's user. */
    async call<T>(method: string, path: string, body?: object): Promise<T> {
      const { status, text } = await settled<{ status: number; text: string }>(`fetch('/v1/api${path}', {
        method: '${method}',
        headers: {
          authorization: 'Bearer ' + JSON.parse(localStorage.getItem('sotto.session')).token,
          'content-type': 'application/json',
        },
        ${body ? `body: ${JSON.stringify(JSON.stringify(body))},` : ''}
      }).then(async (answer) => ({ status: answer.status, text: await answer.text() }))`);
      expect([path, status]).toEqual([path, expect.toSatisfy((code: number) => code < 300)]);
      return (text === '' ? undefined : JSON.parse(text)) as T;
    },
  };
}
