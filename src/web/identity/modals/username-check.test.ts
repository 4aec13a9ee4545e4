import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Availability, createUsernameCheck } from './username-check.ts';

type Answer = Exclude<Availability, 'checking'>;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Test double of the call: the test answers by name. */
function start(current?: string) {
  const asked: string[] = [];
  const answers = new Map<string, (answer: Answer) => void>();
  const shown: Availability[] = [];
  const check = createUsernameCheck({
    current,
    ask: (username) => {
      asked.push(username);
      return new Promise((resolve) => answers.set(username, resolve));
    },
    onChange: (availability) => shown.push(availability),
  });
  return {
    check,
    asked,
    shown,
    async answer(username: string, availability: Answer) {
      answers.get(username)?.(availability);
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

test('requests 300 ms after the last key', async () => {
  const { check, asked, shown, answer } = start();
  check.change('a');
  await vi.advanceTimersByTimeAsync(299);
  check.change('ad');
  await vi.advanceTimersByTimeAsync(299);
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toEqual(['ad']);
  await answer('ad', 'available');
  expect(shown.at(-1)).toBe('available');
});

test('an older answer never overwrites a newer one', async () => {
  const { check, shown, answer } = start();
  check.change('ada');
  await vi.advanceTimersByTimeAsync(300);
  check.change('ada.m');
  await vi.advanceTimersByTimeAsync(300);
  await answer('ada.m', 'available');
  await answer('ada', 'unavailable');
  expect(shown.at(-1)).toBe('available');
});

test('an answer that arrives during typing is ignored', async () => {
  const { check, shown, answer } = start();
  check.change('ada');
  await vi.advanceTimersByTimeAsync(300);
  check.change('ada.m');
  await answer('ada', 'unavailable');
  expect(shown).toEqual(['checking', 'checking']);
});

test('the user’s own username and an unchanged one send no request', async () => {
  const { check, asked, shown, answer } = start('ada');
  check.change('ada');
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toEqual([]);
  check.change('ada.m');
  await vi.advanceTimersByTimeAsync(300);
  await answer('ada.m', 'unavailable');
  check.change('ada.m');
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toEqual(['ada.m']);
  expect(shown.at(-1)).toBe('unavailable');
});

test('an invalid username sends no request and clears the result', async () => {
  const { check, asked, shown, answer } = start();
  check.change('ada');
  await vi.advanceTimersByTimeAsync(300);
  await answer('ada', 'available');
  check.change(undefined);
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toEqual(['ada']);
  expect(shown.at(-1)).toBe('unknown');
});

test('the same name is requested again when there was no answer', async () => {
  const { check, asked, answer } = start();
  check.change('ada');
  await vi.advanceTimersByTimeAsync(300);
  await answer('ada', 'unknown');
  check.change('ada');
  await vi.advanceTimersByTimeAsync(300);
  expect(asked).toEqual(['ada', 'ada']);
});

test('sends no requests after it has stopped', async () => {
  const { check, asked } = start();
  check.change('ada');
  check.stop();
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toEqual([]);
});
