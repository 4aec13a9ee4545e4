import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { type PageOptions, type useBrowser, desktop, workerInCharge } from './browser.ts';
import { newSubscriber, openAs } from '../listener.ts';

/** A new subscriber's page with a list of audios, and a running service worker. */
export async function openList(browser: ReturnType<typeof useBrowser>, options: PageOptions = desktop) {
  const subscriber = await newSubscriber();
  const opened = await openAs(browser, subscriber, '/playlists/start-here', { ...options, isFirstVisit: true });
  await workerInCharge(opened.page);
  return { ...opened, subscriber };
}

export function menuOf(page: Page, title: string) {
  const row = page.locator('main li.row').filter({ has: page.getByRole('link', { name: title, exact: true }) });
  return row.getByRole('button', { name: `More for ${title}` });
}

export async function chooseDownload(page: Page, title: string): Promise<void> {
  await menuOf(page, title).click();
  await page.getByRole('menuitem', { name: 'Download', exact: true }).click();
  // A page left before its response adds nothing.
  await page.getByText(`Downloading “${title}”`).first().waitFor();
}

export const rowOf = (page: Page, title: string) => page.locator('.download__row').filter({ hasText: title });

export async function keep(page: Page, titles: string[]): Promise<void> {
  for (const title of titles) await chooseDownload(page, title);
  await page.goto('/library/downloads');
  for (const title of titles)
    await rowOf(page, title)
      .getByRole('button', { name: `Play ${title}` })
      .waitFor({ timeout: 30_000 });
  // The offline start page is stored last.
  await expect.poll(() => storedState(page)).toContain('page');
}

/** Names in the device's own database. */
export function storedState(page: Page): Promise<string[]> {
  return page.evaluate(
    () =>
      new Promise<string[]>((resolve, reject) => {
        const opening = indexedDB.open('kept');
        opening.onerror = () => reject(opening.error ?? new Error('not opened'));
        opening.onsuccess = () => {
          const keys = opening.result.transaction('state').objectStore('state').getAllKeys();
          keys.onsuccess = () => {
            opening.result.close();
            resolve(keys.result as string[]);
          };
        };
      }),
  );
}

/** Everything that this site stores on disk, as text. */
export function writtenTexts(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const texts = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })];
    for (const name of await caches.keys()) {
      if (name.startsWith('sotto-shell-')) continue;
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        texts.push(request.url);
        texts.push(new TextDecoder('latin1').decode(await (await cache.match(request))?.arrayBuffer()));
      }
    }
    const database = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open('kept');
      opening.onsuccess = () => resolve(opening.result);
    });
    for (const store of database.objectStoreNames)
      await new Promise<void>((resolve) => {
        const all = database.transaction(store).objectStore(store).getAll();
        all.onsuccess = () => {
          for (const value of all.result as { sealed?: unknown; body?: unknown }[])
            for (const part of [value, value.body])
              texts.push(part instanceof ArrayBuffer ? new TextDecoder('latin1').decode(part) : JSON.stringify(part));
          resolve();
        };
      });
    database.close();
    return texts.join('\n');
  });
}

export async function seekTo(page: Page, part: number): Promise<void> {
  await page.evaluate((to) => {
    const audio = document.querySelector('audio');
    if (audio) audio.currentTime = audio.duration * to;
  }, part);
}
