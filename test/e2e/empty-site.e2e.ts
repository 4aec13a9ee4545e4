/** @module-tag slow */
import { expect, test } from 'vitest';
import { createAudio, createVoice } from '../support/factories.ts';
import { startWholeSite } from '../support/whole-site.ts';

const site = await startWholeSite();

/** Navigations that filter or sort a list. */
async function filtersOf(path: string): Promise<string[]> {
  const html = await (await fetch(new URL(path, site.url))).text();
  expect(html).toContain('</main>');
  return [...html.matchAll(/aria-label="(Filter|Topics|Sort: [^"]+)"|data-(filters)-button/g)].map(
    ([, name, part]) => name ?? part ?? '',
  );
}

test('lists without anything in them offer no filters and orders; a filter in the address can be taken back', async () => {
  for (const path of ['/audios', '/creators', '/blog']) expect([path, await filtersOf(path)]).toEqual([path, []]);
  expect(await filtersOf('/audios?free=true')).toEqual(['filters', 'Sort: Newest']);
  const { id: voiceId } = await createVoice(site.db);
  await createAudio(site.db, { voiceId });
  await expect.poll(() => filtersOf('/audios')).toEqual(['filters', 'Sort: Newest']);
  await expect.poll(() => filtersOf('/creators')).toEqual(['Filter']);
});
