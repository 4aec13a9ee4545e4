/** @module-tag slow */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seeNotice } from '../../support/browser/account-page.ts';
import { hydrated, layouts, useBrowser } from '../../support/browser/browser.ts';
import { openAs, playing } from '../../support/listener.ts';

const browser = useBrowser();
/** Demo account that owns the voice Maren Holt. */
const creator = { email: 'creator@sotto.example', password: 'creator' };
const rate = 48_000;
let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sotto-recordings-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** A recording of six seconds of tone, six of silence, and six of tone: 16 bit, mono (RIFF WAVE). */
async function record(name: string): Promise<string> {
  const samples = Buffer.alloc(18 * rate * 2);
  for (let at = 0; at < 18 * rate; at += 1) {
    const isSilent = at >= 6 * rate && at < 12 * rate;
    samples.writeInt16LE(isSilent ? 0 : Math.round(8000 * Math.sin((2 * Math.PI * 220 * at) / rate)), at * 2);
  }
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + samples.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(samples.length, 40);
  const path = join(dir, name);
  await writeFile(path, Buffer.concat([header, samples]));
  return path;
}

async function slowNetwork(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  return (offline: boolean, uploadThroughput: number) =>
    session.send('Network.emulateNetworkConditions', { offline, latency: 0, downloadThroughput: -1, uploadThroughput });
}

describe.each(layouts)('on %s', (name, layout) => {
  test('a recording goes up, over a lost connection too, is edited, scheduled and published, and a listener hears it', async () => {
    // Different content at each try.
    const take = `${name} ${Date.now()}`;
    const { page } = await openAs(browser, creator, '/library', layout);
    await page.goto('/studio/maren-holt/upload');
    await hydrated(page);
    const network = await slowNetwork(page);
    await network(false, 300_000);
    await page.getByLabel('Who may hear them').selectOption('free');
    const path = await record(`low-tide-${take.replace(' ', '-')}.wav`);
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Choose files' }).click(),
    ]);
    await chooser.setFiles(path);
    await page
      .getByText(/Uploading [2-9]\d%/)
      .first()
      .waitFor();
    await network(true, -1);
    await page
      .getByText(/Connection lost at \d+%/)
      .first()
      .waitFor();
    await network(false, -1);
    // Ready: the job takes files every few seconds.
    await page.getByRole('link', { name: `Edit Low tide ${take}` }).click({ timeout: 45_000 });
    const title = `Low tide, twice, ${take}`;
    await page.getByLabel('Title').fill(title);
    await page.getByRole('region', { name: 'Changes' }).getByText('Saved at').waitFor();
    await page.getByRole('radio', { name: /^Schedule/ }).check();
    await page.getByLabel('Day', { exact: true }).fill('2036-01-02');
    await page.getByLabel('Time', { exact: true }).fill('22:00');
    await page.getByRole('button', { name: 'Schedule', exact: true }).click();
    await seeNotice(page, /^Scheduled/);
    await page.getByRole('radio', { name: /^Published/ }).check();
    await page.getByRole('button', { name: 'Publish now' }).click();
    await seeNotice(page, /^Published/);
    const address = await page.getByRole('link', { name: 'View page' }).getAttribute('href');

    const { page: listener } = await browser.open(address ?? '', layout);
    await listener.getByRole('heading', { name: title, level: 1 }).waitFor();
    // Two tone parts with silence between them: bars are strokes whose height is the loudness.
    const heights = await listener
      .locator('main svg.wave path')
      .evaluateAll((paths) =>
        paths.flatMap((path) =>
          [...(path.getAttribute('d') ?? '').matchAll(/v(-?[\d.]+)/g)].map(([, height]) => Number(height)),
        ),
      );
    const third = heights.length / 3;
    expect(heights.length).toBeGreaterThan(100);
    expect(Math.max(...heights.slice(third + 3, 2 * third - 3))).toBeLessThan(
      Math.min(...heights.slice(3, third - 3)) / 3,
    );
    await listener.locator('main').getByRole('button', { name: /^Play/ }).first().click();
    await playing(listener, 1);
  });
});
