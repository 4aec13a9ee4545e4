import { expect, test } from 'vitest';
import type { SleepSnapshot } from '#player/sleep/sleep-state.ts';
import { describeSleep, isSameSleep, sleepChoices } from './sleep-choices.ts';

test('the end is given as a time, in audios, or as the end of the current audio', () => {
  const minutes = { kind: 'minutes', minutes: 15 } as const;
  const describe = (sleep: SleepSnapshot, fades = true) => describeSleep(sleep, '23:52', fades);
  expect(describe({ setting: null, remainingSeconds: null, remainingAudios: null })).toBe('');
  const running = { setting: minutes, remainingSeconds: 872, remainingAudios: null };
  expect(describe(running)).toBe('Stops at 23:52, after fading out for 30 seconds');
  expect(describe(running, false)).toBe('Stops at 23:52');
  const after = { kind: 'after', count: 3 } as const;
  expect(describe({ setting: after, remainingSeconds: null, remainingAudios: 3 })).toBe('Sleeps after 3 audios');
  expect(describe({ setting: after, remainingSeconds: 65, remainingAudios: 1 })).toBe(
    'Sleeps with this audio, in 1:05',
  );
  expect(describe({ setting: { kind: 'end-of-audio' }, remainingSeconds: null, remainingAudios: 1 })).toBe(
    'Sleeps at the end of this audio',
  );
});

test('each choice equals itself and no other', () => {
  const settings = sleepChoices().flatMap(({ choices }) => choices.map(({ setting }) => setting));
  for (const [at, setting] of settings.entries())
    expect(settings.map((other) => isSameSleep(setting, other))).toEqual(settings.map((_, other) => other === at));
});

test('a timer that starts by itself is none of the choices', () => {
  const byItself = { kind: 'minutes', minutes: 10, renews: true } as const;
  const settings = sleepChoices().flatMap(({ choices }) => choices.map(({ setting }) => setting));
  expect(settings.filter((setting) => isSameSleep(byItself, setting))).toEqual([]);
});
