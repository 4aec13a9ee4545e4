import { browserLimits } from '../browser-limits.ts';
import { savesData as browserSetting } from '../network.ts';
import { type TimedInit, timedFetch } from '../timed-fetch.ts';

/** Preloads the beginning of a file, so that switching to it does not wait for the network. */
export type WarmUp = {
  /**
   * One file at a time; repeating the same URL does nothing.
   * @param mayUseElement false on iOS, which has only one media element
   * @param preload `metadata` loads just enough to start, for a file that may not be played
   */
  warm(url: string, mayUseElement: boolean, preload?: 'auto' | 'metadata'): void;
  drop(): void;
};

/** About ten seconds of speech at the highest bit rate served. */
const HEAD_BYTES = 256 * 1024;

type WarmElement = { preload: string; muted: boolean; src: string; removeAttribute(name: string): void; load(): void };

export type WarmUpParts = {
  createElement?: () => WarmElement;
  fetch?: (url: string, init: TimedInit) => Promise<Response>;
  /** The listener asked for less traffic: nothing is preloaded. */
  savesData?: () => boolean;
};

/**
 * A second, silent element shares its download with the playing one. On devices with only one element, a separate
 * request puts the start of the file into the browser's cache.
 */
export function createWarmUp(parts: WarmUpParts = {}): WarmUp {
  const { createElement = () => new Audio(), fetch = timedFetch, savesData = browserSavesData } = parts;
  let element: WarmElement | null = null;
  let warmed: string | null = null;
  let abort: AbortController | null = null;

  function drop() {
    abort?.abort();
    abort = null;
    if (warmed !== null && element?.src) {
      element.removeAttribute('src');
      element.load();
    }
    warmed = null;
  }

  async function fetchHead(url: string) {
    const own = new AbortController();
    abort = own;
    try {
      // A redirect leads to object storage, which a page may play from but not read.
      const init = {
        headers: { Range: `bytes=0-${HEAD_BYTES - 1}` },
        credentials: 'same-origin',
        redirect: 'manual',
        limitMs: browserLimits.asset,
      } as const;
      const answer = await fetch(url, { ...init, signal: own.signal });
      // A server without range support would send the whole file.
      if (answer.status === 206) await answer.arrayBuffer();
      else own.abort();
    } catch {
      // Not preloaded: the switch waits for the network.
    }
  }

  return {
    warm(url, mayUseElement, preload = 'auto') {
      if (savesData()) return drop();
      if (url === warmed) return;
      drop();
      warmed = url;
      if (!mayUseElement) return void fetchHead(url);
      element ??= createElement();
      element.preload = preload;
      element.muted = true;
      element.src = url;
    },
    drop,
  };
}

/** Or `prefers-reduced-data` where supported (Media Queries 5). */
function browserSavesData(): boolean {
  return browserSetting() || globalThis.matchMedia?.('(prefers-reduced-data: reduce)').matches === true;
}
