import type { Page } from 'playwright-core';

/** Presses Next, or Previous at the end of the list. @returns milliseconds until the other audio plays */
export function changeTrack(page: Page): Promise<number> {
  return page.evaluate(async () => {
    // Components hear of the former change two frames after its sound (render-after-sound.ts).
    for (let frame = 0; frame < 4; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    const audio = document.querySelector('audio');
    const button =
      document.querySelector<HTMLButtonElement>('button[aria-label="Next"]:not([disabled])') ??
      document.querySelector<HTMLButtonElement>('button[aria-label="Previous"]');
    if (!audio || !button) throw new Error('There is no player');
    const before = audio.src;
    const sounds = Promise.withResolvers<void>();
    audio.addEventListener('playing', () => sounds.resolve(), { once: true });
    const pressed = performance.now();
    button.click();
    // Past three seconds, Previous goes to the beginning first.
    if (audio.src === before) button.click();
    if (audio.src === before) throw new Error('It is the same audio as before');
    await sounds.promise;
    return performance.now() - pressed;
  });
}
