import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { type ReceivedCall, answerCalls, refusal } from '#test/support/components/calls.ts';
import { mount } from '#test/support/components/mount.tsx';
import { UsernameField } from './username-field.tsx';

let calls: ReceivedCall[];
let late: PromiseWithResolvers<Response>;
const onTaken = vi.fn<(isTaken: boolean) => void>();
const names = ['nora', 'taken', 'later'];
/** Without their beginnings, which count as pauses in typing on a slow machine. */
const asked = () => calls.map(({ path }) => path.split('/').at(-1) ?? '').filter((name) => !isBeginning(name));
const isBeginning = (name: string) => names.some((whole) => whole.startsWith(name) && whole !== name);
const beginnings = names.flatMap((name) => Array.from(name, (_, end) => name.slice(0, end)));

beforeEach(() => {
  onTaken.mockReset();
  late = Promise.withResolvers();
  calls = answerCalls({
    ...Object.fromEntries(beginnings.map((name) => [`GET /v1/api/auth/username/${name}`, () => ({})])),
    'GET /v1/api/auth/username/nora': () => ({}),
    'GET /v1/api/auth/username/taken': () => refusal(409, 'auth/username-already-in-use'),
    'GET /v1/api/auth/username/later': () => late.promise,
  });
});

function Name({ current }: { current?: string }) {
  const [value, setValue] = useState(current ?? '');
  return (
    <UsernameField
      value={value}
      current={current}
      onTaken={onTaken}
      onChange={({ target }) => setValue(target.value)}
    />
  );
}

const field = () => page.getByRole('textbox', { name: 'Username' });

test('a free name is said to be available, once typing pauses', async () => {
  mount(<Name />);
  await field().fill('nora');
  await expect.element(page.getByText('Available', { exact: true })).toBeVisible();
  expect(asked()).toEqual(['nora']);
  expect(onTaken).not.toHaveBeenCalledWith(true);
});

test('a taken one is an error until it changes', async () => {
  mount(<Name />);
  await field().fill('taken');
  await expect.element(page.getByRole('alert')).toHaveTextContent('This username is unavailable');
  await expect.element(field()).toHaveAttribute('aria-invalid', 'true');
  expect(onTaken.mock.calls.at(-1)).toEqual([true]);
  await field().fill('nora');
  await expect.poll(() => page.getByRole('alert').query()).toBeNull();
  expect(onTaken.mock.calls.at(-1)).toEqual([false]);
});

test('no answer is no verdict', async () => {
  mount(<Name />);
  await field().fill('later');
  await expect.poll(asked).toEqual(['later']);
  onTaken.mockReset();
  late.resolve(refusal(503, 'server/busy'));
  await expect.poll(() => onTaken.mock.calls).toEqual([[false]]);
  expect(field().element().getAttribute('aria-invalid')).toBeNull();
  expect(page.getByText('Available', { exact: true }).query()).toBeNull();
});

test('what cannot be a name, and the own name, are not asked for', async () => {
  mount(
    <>
      <Name current="mira" />
      <Name />
      <Name />
    </>,
  );
  await field().nth(1).fill('%%');
  // Each waits as long, so the others would be asked for before.
  await field().nth(2).fill('nora');
  await expect.poll(asked).toContain('nora');
  expect(asked()).toEqual(['nora']);
});
