import { expect, test } from 'vitest';
import { describeSleep, isSameSleep, sleepChoices } from './sleep-choices.ts';

test('the remaining time is given in minutes, in audios, or as the end of the current audio', () => {
  const minutes = { kind: 'minutes', minutes: 15 } as const;
  expect(describeSleep({ setting: null, remainingSeconds: null, remainingAudios: null })).toBe('');
  expect(describeSleep({ setting: minutes, remainingSeconds: 872, remainingAudios: null })).toBe('Sleeps in 14:32');
  const after = { kind: 'after', count: 3 } as const;
  expect(describeSleep({ setting: after, remainingSeconds: null, remainingAudios: 3 })).toBe('Sleeps after 3 audios');
  expect(describeSleep({ setting: after, remainingSeconds: 65, remainingAudios: 1 })).toBe(
    'Sleeps with this audio, in 1:05',
  );
  expect(describeSleep({ setting: { kind: 'end-of-audio' }, remainingSeconds: null, remainingAudios: 1 })).toBe(
    'Sleeps at the end of this audio',
  );
});

test('each choice equals itself and no other', () => {
  const settings = sleepChoices().flatMap(({ choices }) => choices.map(({ setting }) => setting));
  for (const [at, setting] of settings.entries())
    expect(settings.map((other) => isSameSleep(setting, other))).toEqual(settings.map((_, other) => other === at));
});
