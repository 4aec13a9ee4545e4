import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { DomainError } from '../kernel/errors.ts';
import { waitOutsideSlot } from '../kernel/worker-slot.ts';

/** More than any text of the site may have. */
const maxLength = 250_000;
const maxMs = 5000;
const idleMs = 60_000;
const maxWaiting = 100;

/** HTML by text; undefined for a text that takes too long or is nested too deep. */
const rendered = new LRUCache<string, Promise<string | undefined>>({ max: 500 });
let worker: Worker | undefined;
let idle: NodeJS.Timeout | undefined;
let last: Promise<unknown> = Promise.resolve();
let waiting = 0;

/**
 * HTML that is safe to embed: no script, style or picture, and attributes on links only. A text that cannot be rendered
 * in time is shown as it was written.
 */
export async function renderMarkdown(text: string): Promise<string> {
  return (await render(text)) ?? `<p>${text.replaceAll(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</p>`;
}

/** @throws DomainError for a text that cannot be rendered in time, before it is stored */
export async function checkMarkdown(text: string): Promise<void> {
  if ((await render(text)) === undefined) throw new DomainError('text/too-complex');
}

/** One text at a time, each once. */
function render(text: string): Promise<string | undefined> {
  const known = rendered.get(text);
  if (known !== undefined) return known;
  if (text.length > maxLength) return Promise.resolve(undefined);
  if (waiting >= maxWaiting) return Promise.reject(new DomainError('request/too-many'));
  waiting += 1;
  const result = waitOutsideSlot(() => last.then(() => renderInWorker(text))).finally(() => (waiting -= 1));
  last = result.catch(() => undefined);
  rendered.set(text, result);
  result.catch(() => rendered.delete(text));
  return result;
}

async function renderInWorker(text: string): Promise<string | undefined> {
  clearTimeout(idle);
  const current = (worker ??= await startWorker());
  current.ref();
  try {
    return await new Promise<string | undefined>((resolve, reject) => {
      const deadline = setTimeout(() => end(() => resolve(undefined), true), maxMs);
      const received = (html: string | undefined) => end(() => resolve(html));
      // Out of memory: the text is at fault.
      const failed = () => end(() => resolve(undefined), true);
      function end(settle: () => void, isLost = false): void {
        clearTimeout(deadline);
        current.off('message', received).off('error', failed).off('exit', failed);
        if (!isLost) return settle();
        worker = undefined;
        void current.terminate().then(settle, reject);
      }
      current.once('message', received).once('error', failed).once('exit', failed);
      current.postMessage(text);
    });
  } finally {
    // So that the process can end.
    current.unref();
    idle = setTimeout(() => {
      worker = undefined;
      void current.terminate();
    }, idleMs).unref();
  }
}

async function startWorker(): Promise<Worker> {
  const started = new Worker(new URL('markdown-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  });
  // Errors between two texts: the next one gets another worker.
  started.on('error', () => (worker = undefined));
  await new Promise<void>((resolve, reject) => {
    started.once('message', () => resolve());
    started.once('error', reject);
  });
  return started;
}
