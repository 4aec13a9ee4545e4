import { expect, test } from 'vitest';
import { type Entry, createAfterLogIn, stepNames } from './after-log-in.ts';

const entry: Entry = {
  kind: 'log-in',
  isNewAccount: false,
  period: undefined,
  isTroughPaidlink: false,
  act: undefined,
};

test('the steps run in their fixed order, in whatever order they were added', async () => {
  const afterLogIn = createAfterLogIn();
  const done: string[] = [];
  for (const name of [...stepNames].reverse()) afterLogIn.add(name, () => void done.push(name));
  await afterLogIn.run(entry);
  expect(done).toEqual(['close-modals', 'username', 'paid-link', 'payment', 'welcome', 'waiting-act']);
});

test('each step waits for the one before and receives the entry', async () => {
  const afterLogIn = createAfterLogIn();
  const gate = Promise.withResolvers<void>();
  const received: unknown[] = [];
  afterLogIn.add('username', () => gate.promise);
  afterLogIn.add('payment', ({ period }) => void received.push(period));
  const run = afterLogIn.run({ ...entry, period: 'month' });
  await Promise.resolve();
  expect(received).toEqual([]);
  gate.resolve();
  await run;
  expect(received).toEqual(['month']);
});

test('a step that returns stop skips the rest', async () => {
  const afterLogIn = createAfterLogIn();
  const done: string[] = [];
  afterLogIn.add('username', () => 'stop');
  afterLogIn.add('waiting-act', () => void done.push('act'));
  await afterLogIn.run(entry);
  expect(done).toEqual([]);
});

test('a log-out or another log-in cancels the remaining steps', async () => {
  const afterLogIn = createAfterLogIn();
  const done: unknown[] = [];
  const gate = Promise.withResolvers<void>();
  afterLogIn.add('username', ({ isNewAccount }) => (isNewAccount ? gate.promise : undefined));
  afterLogIn.add('waiting-act', ({ kind }) => void done.push(kind));
  const cancelled = afterLogIn.run({ ...entry, isNewAccount: true });
  afterLogIn.cancel();
  const replaced = afterLogIn.run({ ...entry, isNewAccount: true });
  await afterLogIn.run({ ...entry, kind: 'sign-up' });
  gate.resolve();
  await Promise.all([cancelled, replaced]);
  expect(done).toEqual(['sign-up']);
});

test('a removed or replaced step does not run', async () => {
  const afterLogIn = createAfterLogIn();
  const done: string[] = [];
  const remove = afterLogIn.add('payment', () => void done.push('first'));
  afterLogIn.add('payment', () => void done.push('second'));
  remove();
  await afterLogIn.run(entry);
  expect(done).toEqual(['second']);
});
