import '#start/quiet-warnings.ts';
import { lowerPriority } from '../lower-priority.ts';
import type { PictureReply, PictureTask } from './pictures.ts';

/** A separate process, so that no picture can exhaust the memory or the threads of the site. It runs until the site ends it. */

const [, , megabytes = '0', seconds = '0', priority = '0'] = process.argv;
const rss = () => Math.round(process.memoryUsage.rss() / 1024 / 1024);
/** At once: an ordinary exit waits for the threads that decode. */
const end = () => void process.kill(process.pid, 'SIGKILL');

function reply(answer: PictureReply): void {
  process.send?.(answer);
}

process.on('disconnect', end);
lowerPriority(Number(priority));
let before = process.cpuUsage();
function isBeyondLimits(): boolean {
  const { user, system } = process.cpuUsage(before);
  return rss() > Number(megabytes) || user + system > Number(seconds) * 1e6;
}
// Decoding runs on other threads. The address space is limited as well, but much of it is no memory.
setInterval(() => isBeyondLimits() && end(), 50).unref();

try {
  const { default: sharp } = await import('sharp');
  const { TooCostly, work } = await import('./work.ts');
  // libvips' own cache holds decoded pixels of images that are encoded once; it would only cost memory.
  sharp.cache(false);
  // Limits each task to one core; on some systems one would use all of them.
  sharp.concurrency(1);
  process.on('message', ({ name, args }: PictureTask) => {
    before = process.cpuUsage();
    const act = work[name] as (...given: unknown[]) => Promise<unknown>;
    void act(...args).then(
      (result) => reply({ kind: 'done', result, megabytes: rss() }),
      (error: unknown) => reply({ kind: error instanceof TooCostly ? 'too-costly' : 'unreadable', megabytes: rss() }),
    );
  });
  reply({ kind: 'ready' });
} catch (error) {
  process.send?.({ kind: 'cannot-start', message: (error as Error).message } satisfies PictureReply, end);
}
