import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { AudioItem } from '#domain/catalogue/audios.ts';
import { drag, drop } from '#test/support/components/drag.ts';
import { dataFor, mountInSite } from '#test/support/components/mount.tsx';
import { ElapsedTime, PositionSlider, RemainingTime } from './position-slider.tsx';

// The player reads no more of it.
const preview = {
  id: 'a1',
  slug: 'rain',
  title: 'Rain',
  imageUrl: null,
  audioFileUrl: URL.createObjectURL(new Blob([silence(60)], { type: 'audio/wav' })),
  numberDuration: 60,
  color: null,
  isFree: true,
  voice: { id: 'v1', name: 'Nora', slug: 'nora' },
} as AudioItem;

/** A WAV of 8 bits and 8,000 samples a second. */
function silence(seconds: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(44 + seconds * 8000).fill(128, 44);
  const view = new DataView(bytes.buffer);
  const write = (at: number, text: string) =>
    [...text].forEach((one, index) => (bytes[at + index] = one.charCodeAt(0)));
  write(0, 'RIFF');
  view.setUint32(4, bytes.length - 8, true);
  write(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, 8000, true);
  view.setUint32(28, 8000, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  write(36, 'data');
  view.setUint32(40, seconds * 8000, true);
  return bytes;
}

const slider = () => page.getByRole('slider', { name: 'Position' });
const shown = () => slider().element().getAttribute('aria-valuetext');
const track = () => document.querySelector('.slider') ?? expect.fail();

beforeEach(async () => {
  mountInSite(
    <div style={{ margin: 40, width: 400 }}>
      <PositionSlider />
      <ElapsedTime />
      <RemainingTime first="whole" />
    </div>,
    { load: () => ({ ...dataFor(null), preview }) },
  );
  await expect.element(slider()).toBeEnabled();
  (slider().element() as HTMLInputElement).focus();
  await userEvent.keyboard('{Home}');
  await expect.poll(shown).toBe('0:00 of 1:00');
});

test('an arrow moves by a second, Page Up and Page Down by fifteen, each in its direction', async () => {
  await userEvent.keyboard('{ArrowRight}');
  await expect.poll(shown).toBe('0:01 of 1:00');
  await userEvent.keyboard('{PageUp}{PageUp}');
  await expect.poll(shown).toBe('0:31 of 1:00');
  await userEvent.keyboard('{PageDown}');
  await expect.poll(shown).toBe('0:16 of 1:00');
  await userEvent.keyboard('{ArrowLeft}{PageDown}');
  await expect.poll(shown).toBe('0:00 of 1:00');
});

test('a press on the line goes there, and both times follow', async () => {
  await drag(track(), { at: [0.5, 0.5] });
  await expect.poll(shown).toBe('0:30 of 1:00');
  await expect.element(page.getByText('0:30', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Total 1:00. Show the time left' }).click();
  await expect.element(page.getByRole('button', { name: '0:30 left. Show the whole time' })).toHaveTextContent('-0:30');
});

test('a drag shows the time it would go to, and Home goes back to the beginning', async () => {
  await drag(track(), { at: [0.25, 0.5], right: 200, release: false });
  await expect.poll(shown).toBe('0:45 of 1:00');
  await expect.element(page.getByText('0:45', { exact: true })).toBeVisible();
  await drop();
  await expect.poll(shown).toBe('0:45 of 1:00');
  await userEvent.keyboard('{Home}');
  await expect.poll(shown).toBe('0:00 of 1:00');
});
