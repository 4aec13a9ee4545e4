import { Worker } from 'node:worker_threads';
import type { FeedPage, ReadFeed } from '#domain/gateways.ts';

const maxMs = 30_000;
const maxMegabytes = 512;

export const readFeed: ReadFeed = (content, url) => {
  const worker = new Worker(new URL('feed-worker.ts', import.meta.url), {
    workerData: { content, url },
    resourceLimits: { maxOldGenerationSizeMb: maxMegabytes, stackSizeMb: 4 },
    env: {},
  });
  return new Promise<FeedPage | undefined>((resolve) => {
    const end = (page?: FeedPage) => {
      clearTimeout(late);
      void worker.terminate();
      resolve(page);
    };
    const late = setTimeout(end, maxMs);
    // Not a feed, or one that takes too much: either is the feed's fault.
    worker
      .once('message', end)
      .once('error', () => end())
      .once('exit', () => end());
  });
};
