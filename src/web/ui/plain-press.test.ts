import type { MouseEvent } from 'react';
import { expect, test, vi } from 'vitest';
import { onPlainPress } from './plain-press.ts';

function press(held: Partial<MouseEvent> = {}) {
  const act = vi.fn();
  const preventDefault = vi.fn();
  onPlainPress(act)({ button: 0, preventDefault, ...held } as unknown as MouseEvent);
  return { acted: act.mock.calls.length, kept: preventDefault.mock.calls.length };
}

test('a plain press runs the action instead of following the link', () => {
  expect(press()).toEqual({ acted: 1, kept: 1 });
});

test.each([{ metaKey: true }, { ctrlKey: true }, { shiftKey: true }, { altKey: true }, { button: 1 }])(
  'the browser follows the link itself: %o',
  (held) => {
    expect(press(held)).toEqual({ acted: 0, kept: 0 });
  },
);
