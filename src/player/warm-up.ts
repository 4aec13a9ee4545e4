/** Loads the beginning of a file ahead, so that the change to it needs no answer of the network. */
export type WarmUp = {
  /** One file at a time; the same again does nothing. @param mayUseElement false on iOS, which has one media element */
  warm(url: string, mayUseElement: boolean): void;
  /** Lets go of what was loaded ahead. */
  drop(): void;
};

/** About ten seconds of speech at the highest rate that is served. */
const HEAD_BYTES = 256 * 1024;

type WarmElement = { preload: string; muted: boolean; src: string; removeAttribute(name: string): void; load(): void };

export type WarmUpParts = {
  createElement?: () => WarmElement;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

/**
 * A second, silent element shares what it loads with the one that plays. Where there is only one, the head of the file
 * goes into the browser's cache by a request of its own.
 */
export function createWarmUp(parts: WarmUpParts = {}): WarmUp {
  const { createElement = () => new Audio(), fetch = (url, init) => globalThis.fetch(url, init) } = parts;
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
      const init = { headers: { Range: `bytes=0-${HEAD_BYTES - 1}` }, credentials: 'same-origin' } as const;
      const answer = await fetch(url, { ...init, signal: own.signal });
      // A server without ranges would send the whole file.
      if (answer.status === 206) await answer.arrayBuffer();
      else own.abort();
    } catch {
      // Not loaded ahead: the change takes as long as the network does.
    }
  }

  return {
    warm(url, mayUseElement) {
      if (url === warmed) return;
      drop();
      warmed = url;
      if (!mayUseElement) return void fetchHead(url);
      element ??= createElement();
      element.preload = 'auto';
      element.muted = true;
      element.src = url;
    },
    drop,
  };
}
