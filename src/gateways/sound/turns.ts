import { createInterface } from 'node:readline';

let paused: PromiseWithResolvers<void> | undefined;

/** Follows the site, which says `pause` while others need the core. Without the site, this program ends too. */
export function followTurns(): void {
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      if (line === 'pause') paused ??= Promise.withResolvers();
      else if (line === 'resume') {
        paused?.resolve();
        paused = undefined;
      }
    })
    .once('close', () => process.exit(1));
}

/** A turn of the event loop, or as many as the site has paused this program for. */
export async function takeTurn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await paused?.promise;
}
