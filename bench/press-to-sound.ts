import type { Locator, Page } from 'playwright-core';

/** The pointer reaches a button this long before the press, like a mouse. A finger has no hover. */
const restMs = 300;

/** Milliseconds from the press to the first frame in which the element's time has advanced. */
export async function pressToSound(page: Page, button: Locator, by: 'mouse' | 'finger' = 'mouse'): Promise<number> {
  if (by === 'mouse') {
    await button.hover();
    await page.waitForTimeout(restMs);
  }
  await page.evaluate(() => {
    const store = window as unknown as { heard: Promise<number> };
    store.heard = new Promise((resolve) => {
      let pressed = 0;
      document.addEventListener(
        'pointerdown',
        () => {
          pressed = performance.now();
          const look = () => {
            const audio = document.querySelector('audio');
            if (audio !== null && !audio.paused && audio.currentTime > 0) resolve(performance.now() - pressed);
            else requestAnimationFrame(look);
          };
          look();
        },
        { capture: true, once: true },
      );
    });
  });
  await (by === 'mouse' ? button.click() : button.tap());
  return page.evaluate(() => (window as unknown as { heard: Promise<number> }).heard);
}
