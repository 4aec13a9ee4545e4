import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { mount } from '#test/support/components/mount.tsx';
import { LocalRow } from './local-upload-row.tsx';
import type { LocalUpload, UploadPhase } from './local-uploads.ts';

const file = new File([new Uint8Array(4_000_000)], 'rain.wav', { type: 'audio/wav' });

function open(phase: UploadPhase, changes: Partial<LocalUpload> = {}): void {
  const upload: LocalUpload = {
    key: 1,
    id: 'u1',
    voiceId: 'v1',
    file,
    title: 'Rain',
    choices: {},
    replaces: undefined,
    phase,
    wasHeld: true,
    sent: 1_000_000,
    rate: undefined,
    resumedAt: undefined,
    ...changes,
  };
  mount(<LocalRow upload={upload} />);
}

const progress = () => page.getByRole('progressbar');
const buttons = () =>
  [...document.querySelectorAll('button')].map((one) => one.getAttribute('aria-label') ?? one.textContent);
const text = () => document.body.textContent;

test('while it uploads: the part, the speed, and how to pause or cancel', async () => {
  open({ is: 'uploading' }, { rate: 500_000, resumedAt: 10 });
  await expect.element(progress()).toHaveAttribute('aria-valuenow', '25');
  expect(text()).toContain('Uploading 25%');
  expect(text()).toContain('continued at 10%');
  expect(buttons()).toEqual(expect.arrayContaining(['Pause rain.wav', 'Cancel rain.wav']));
});

test('an interrupted one says what is safe, and counts down to the next try', async () => {
  open({ is: 'lost', retryAt: Date.now() + 1500, reason: 'Connection lost' });
  await expect.element(page.getByText('Connection lost at 25%')).toBeVisible();
  expect(text()).toMatch(/trying again in [1-3] sec/);
  await expect.poll(text).toMatch(/trying again(?! in)/);
  expect(buttons()).toEqual(expect.arrayContaining(['Resume now', 'Cancel rain.wav']));
});

test('a refused one says why; only where it may help, it can be tried again', async () => {
  open({ is: 'refused', reason: 'It is longer than three hours.', canRetry: false });
  await expect.element(page.getByText('It is longer than three hours.', { exact: false })).toBeVisible();
  expect(buttons()).toEqual(['Remove rain.wav']);
  open({ is: 'refused', reason: 'The site is full.', canRetry: true });
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible();
});

test('what has arrived can no longer be canceled here', async () => {
  open({ is: 'arrived' }, { sent: file.size });
  await expect.element(progress()).toHaveAttribute('aria-valuenow', '100');
  expect(buttons().filter((name) => /Cancel|Pause/.test(name ?? ''))).toEqual([]);
});

test('an empty file divides by nothing', async () => {
  open({ is: 'uploading' }, { file: new File([], 'empty.wav'), sent: 0, rate: 0 });
  await expect.element(progress()).toHaveAttribute('aria-valuenow', '0');
  expect(text()).not.toMatch(/NaN|Infinity/);
});
