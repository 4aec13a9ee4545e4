import { expect, test, vi } from 'vitest';
import { withKeys } from './api-client.ts';

function open(answers: (number | 'lost')[]) {
  const keys: (string | null)[] = [];
  const send = withKeys(async (_input, init) => {
    keys.push(new Headers(init?.headers).get('idempotency-key'));
    const answer = answers.shift() ?? 200;
    if (answer === 'lost') throw new TypeError('Failed to fetch');
    return new Response(null, { status: answer });
  });
  return { keys, send: (body = '{}', method = 'POST') => send('/v1/api/gift-cards', { method, body }).catch(() => {}) };
}

test('each act has a key of its own, and reading has none', async () => {
  const { keys, send } = open([]);
  await send();
  await send();
  await send('{}', 'DELETE');
  expect(keys.every((key) => key !== null && /^[0-9a-f]{32}$/.test(key))).toBe(true);
  expect(new Set(keys).size).toBe(3);
  const reading = withKeys(async (_input, init) => Response.json(new Headers(init?.headers).has('idempotency-key')));
  expect(await (await reading('/v1/api/audios')).json()).toBe(false);
});

test.each(['lost', 503] as const)('an act whose answer was %s keeps its key until it is answered', async (answer) => {
  const { keys, send } = open([answer, answer, 200, 200]);
  for (let time = 0; time < 4; time += 1) await send();
  expect([keys[0] === keys[1], keys[1] === keys[2], keys[2] === keys[3]]).toEqual([true, true, false]);
});

test('the key of a lost answer is for the same act only, and for ten minutes', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { keys, send } = open(['lost', 'lost', 'lost']);
  await send('{"months":1}');
  await send('{"months":2}');
  vi.setSystemTime(Date.now() + 11 * 60_000);
  await send('{"months":1}');
  vi.useRealTimers();
  expect(new Set(keys).size).toBe(3);
});

test('two presses at once are one act', async () => {
  const { keys, send } = open([]);
  await Promise.all([send(), send()]);
  expect(new Set(keys).size).toBe(1);
});
