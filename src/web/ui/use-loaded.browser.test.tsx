import { useEffect, useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { mount } from '#test/support/components/mount.tsx';
import { useLoaded } from './use-loaded.ts';

type Wanted = boolean | 'now';

const onFailed = vi.fn<() => void>();
let answers: PromiseWithResolvers<string>[];
let want: ((wanted: Wanted) => void) | undefined;
/** As the hook’s effect has seen it. */
let seen: Wanted;

function load(): Promise<string> {
  const answer = Promise.withResolvers<string>();
  answers.push(answer);
  return answer.promise;
}

function Part() {
  const [wanted, setWanted] = useState<Wanted>(false);
  const part = useLoaded(load, wanted, onFailed);
  useEffect(() => {
    want = setWanted;
    seen = wanted;
  }, [wanted]);
  return <p>{part ?? `Not loaded, wanted: ${wanted}`}</p>;
}

async function open(): Promise<void> {
  want = undefined;
  mount(<Part />);
  await expect.poll(() => want).toBeDefined();
}

async function set(wanted: Wanted): Promise<void> {
  want?.(wanted);
  await expect.poll(() => seen).toBe(wanted);
  await expect.element(page.getByText(`Not loaded, wanted: ${wanted}`)).toBeVisible();
}

/** Rejects the newest load, and resolves when all that waited for it has run. */
async function fail(): Promise<void> {
  answers.at(-1)?.reject(new TypeError('The code could not be fetched'));
  await Promise.resolve();
  await Promise.resolve();
}

beforeEach(() => {
  answers = [];
  onFailed.mockReset();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => vi.useRealTimers());

test('code that does not come is asked for again after 2 seconds, and then half as often, but each minute', async () => {
  await open();
  expect(answers).toHaveLength(0);
  await set(true);
  await expect.poll(() => answers).toHaveLength(1);
  for (const [index, seconds] of [2, 4, 8, 16, 32, 60, 60].entries()) {
    await fail();
    await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
    expect(answers).toHaveLength(index + 1);
    await vi.advanceTimersByTimeAsync(1);
    expect(answers).toHaveLength(index + 2);
  }
  expect(onFailed).toHaveBeenCalledTimes(1);
  answers.at(-1)?.resolve('Loaded');
  await expect.element(page.getByText('Loaded', { exact: true })).toBeVisible();
});

test('a press asks at once, and its failure is shown again', async () => {
  await open();
  await set(true);
  await expect.poll(() => answers).toHaveLength(1);
  await fail();
  await set('now');
  await expect.poll(() => answers).toHaveLength(2);
  await fail();
  expect(onFailed).toHaveBeenCalledTimes(2);
  // The former attempt ended with the press.
  await vi.advanceTimersByTimeAsync(2000);
  expect(answers).toHaveLength(3);
});

test('code that fails when nobody wants it any more is not asked for again, and nothing is shown', async () => {
  await open();
  await set(true);
  await expect.poll(() => answers).toHaveLength(1);
  await set(false);
  await fail();
  await vi.advanceTimersByTimeAsync(300_000);
  expect(answers).toHaveLength(1);
  expect(onFailed).not.toHaveBeenCalled();
});
