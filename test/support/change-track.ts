import type { Page } from 'playwright-core';

/** Presses Next, or Previous at the end of the list. @returns milliseconds until the other audio plays */
export function changeTrack(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    // Components hear of the former change two frames after its sound (render-after-sound.ts).
    for (let count = 0; count < 4; count += 1) await frame();
    const audio = document.querySelector('audio');
    if (!audio) throw new Error('There is no player');
    const before = audio.src;
    const sounds = Promise.withResolvers<void>();
    audio.addEventListener('playing', () => sounds.resolve(), { once: true });
    let pressed = performance.now();
    // Past three seconds, Previous goes to the beginning first; on a busy machine, Next is disabled some frames late.
    for (let presses = 0; audio.src === before; presses += 1) {
      if (presses === 60) throw new Error('It is the same audio as before');
      if (presses > 1) await frame();
      pressed = performance.now();
      (
        document.querySelector<HTMLButtonElement>('button[aria-label="Next"]:not([disabled])') ??
        document.querySelector<HTMLButtonElement>('button[aria-label="Previous"]')
      )?.click();
    }
    await sounds.promise;
    return performance.now() - pressed;
  });
}
