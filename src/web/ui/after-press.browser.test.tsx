import { expect, onTestFinished, test, vi } from 'vitest';
import { afterPress } from './after-press.ts';

function press(type: 'pointerdown' | 'pointerup'): void {
  window.dispatchEvent(new PointerEvent(type, { bubbles: true }));
}

test('what waits for the end of a press runs then, and one failure drops none of the others', async () => {
  const reported = vi.fn((event: ErrorEvent) => event.preventDefault());
  window.addEventListener('error', reported);
  onTestFinished(() => window.removeEventListener('error', reported));
  const ran: string[] = [];
  press('pointerdown');
  afterPress(() => ran.push('first'));
  afterPress(() => {
    throw new Error('A field could not be checked');
  });
  afterPress(() => ran.push('last'));
  expect(ran).toEqual([]);
  press('pointerup');
  await expect.poll(() => ran).toEqual(['first', 'last']);
  expect(reported.mock.calls.map(([event]) => event.message)).toEqual([
    expect.stringContaining('A field could not be checked'),
  ]);
  // Vitest writes it to the console.
  vi.spyOn(console, 'error').mockClear();
  afterPress(() => ran.push('at once'));
  expect(ran).toEqual(['first', 'last', 'at once']);
});
