import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { ScriptTiming as Timing } from '#domain/studio/timing/timings.ts';
import { type ReceivedCall, answerCalls, refusal } from '#test/support/components/calls.ts';
import { mount } from '#test/support/components/mount.tsx';
import { ScriptTiming } from './script-timing.tsx';

const id = '0190a1b2-0000-7000-8000-000000000001';
const path = `/v1/api/studio/audios/${id}/timing`;
const waiting: Timing = {
  source: 'script',
  state: 'waiting',
  progress: 0,
  failure: null,
  isOutdated: false,
  lines: ['Come in.'],
  times: null,
};
const ready: Timing = { ...waiting, state: 'ready', progress: 100, times: [{ start: 0, end: 1, certainty: 'check' }] };

let used: number[];

function open(
  timing: Timing | undefined,
  answers: Parameters<typeof answerCalls>[0] = {},
  speechHost?: string,
): ReceivedCall[] {
  used = [];
  const calls = answerCalls(answers);
  mount(
    <ScriptTiming
      audioId={id}
      timing={timing}
      hasLines={false}
      speechHost={speechHost}
      onBeforeUse={async () => 7}
      onUsed={async (lines) => void used.push(lines)}
    />,
  );
  return calls;
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
const script = page.getByRole('textbox', { name: 'Script' });

test('a pasted script is timed, and its lines are used once they are ready', async () => {
  const calls = open(undefined, {
    [`PUT ${path}`]: () => waiting,
    [`GET ${path}`]: () => ready,
    [`POST ${path}/take`]: () => ({ version: 8, apart: [], savedAt: '2026-01-01T00:00:00.000Z' }),
  });
  await button('Paste a script').click();
  await script.fill('Come in.\n[laughs]\n\nSit.');
  await expect.element(page.getByText('2 lines', { exact: true })).toBeVisible();
  await button('Time the lines').click();
  await expect.element(page.getByText('Waiting to be timed')).toBeVisible();
  expect(calls[0]?.body).toEqual({ script: 'Come in.\n[laughs]\n\nSit.' });
  await expect.element(page.getByText('1 to check')).toBeVisible();
  await button('Use these lines').click();
  await expect.poll(() => used).toEqual([1]);
  expect(calls.at(-1)?.body).toEqual({ version: 7 });
  await expect.element(button('Paste a script')).toBeVisible();
});

test('a refused script stays, with the reason; a result can be discarded, its script changed', async () => {
  open(ready, {
    [`PUT ${path}`]: () => refusal(400, 'audio/unreadable-script', 'The script has no lines.'),
    [`DELETE ${path}`]: () => undefined,
  });
  await button('Edit the script').click();
  await expect.element(script).toHaveValue('Come in.');
  await button('Time the lines').click();
  await expect.element(page.getByText('The script has no lines.')).toBeVisible();
  await expect.element(script).toHaveValue('Come in.');
  await button('Cancel').click();
  await button('Discard all timings').click();
  await expect.element(button('Paste a script')).toBeVisible();
  expect(used).toEqual([]);
});

test('a timing that failed, or of a former recording, says why and can be repeated', async () => {
  open({ ...waiting, state: 'failed', failure: 'unreadable' });
  await expect.element(page.getByRole('alert')).toHaveTextContent('the recording cannot be read');
  const calls = open(
    { ...ready, isOutdated: true },
    { [`PUT ${path}`]: () => waiting, [`GET ${path}`]: () => waiting },
  );
  await expect.element(page.getByRole('alert')).toHaveTextContent('The recording was replaced');
  expect(button('Use these lines').query()).toBeNull();
  await button('Time the lines again').click();
  await expect.element(page.getByText('Waiting to be timed')).toBeVisible();
  expect(calls[0]?.body).toEqual({ script: 'Come in.' });
});

test('a draft names the host that gets the recording, and is used like a timed script', async () => {
  open(undefined);
  await expect.element(button('Paste a script')).toBeVisible();
  expect(button('Draft a transcript').query()).toBeNull();
  const draft: Timing = { ...waiting, source: 'speech', lines: [] };
  const done: Timing = { ...ready, source: 'speech' };
  const calls = open(
    undefined,
    {
      [`POST ${path}/draft`]: () => draft,
      [`GET ${path}`]: () => done,
      [`POST ${path}/take`]: () => ({ version: 8, apart: [], savedAt: '2026-01-01T00:00:00.000Z' }),
    },
    'speech.example:8000',
  );
  await expect.element(page.getByText('Sends the recording to speech.example:8000')).toBeVisible();
  await button('Draft a transcript').click();
  await expect.element(page.getByText('Waiting for the draft')).toBeVisible();
  await expect.element(page.getByText('1 line, as a draft')).toBeVisible();
  expect(button('Edit the script').query()).toBeNull();
  await button('Use these lines').click();
  await expect.poll(() => used).toEqual([1]);
  expect(calls.at(-1)?.path).toBe(`${path}/take`);
  open({ ...draft, state: 'failed', failure: 'refused' });
  await expect.element(page.getByRole('alert')).toHaveTextContent('The speech service refused the recording');
});
