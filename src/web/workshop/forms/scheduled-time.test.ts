import { expect, test } from 'vitest';
import { readScheduledTime } from './scheduled-time.ts';

const newYork = 'America/New_York';

test('an hour that clocks skip is refused in a sentence', () => {
  expect(readScheduledTime({ day: '2031-03-09', clock: '02:30' }, newYork)).toEqual({
    fault: 'Clocks in New York go forward and skip 02:30 on 9 Mar 2031. Choose another time.',
  });
  expect(readScheduledTime({ day: '2026-03-29', clock: '02:30' }, 'Europe/Vienna')).toEqual({
    fault: 'Clocks in Vienna go forward and skip 02:30 on 29 Mar 2026. Choose another time.',
  });
});

test('in an hour that clocks repeat, the first is meant, and the note says so', () => {
  expect(readScheduledTime({ day: '2031-11-02', clock: '01:30' }, newYork)).toEqual({
    at: new Date('2031-11-02T05:30:00Z'),
    note: 'Clocks go back: this is the first 01:30 of that day',
  });
});

test('fields that show the stored time mean it, also the second of two', () => {
  const stored = '2031-11-02T06:30:00.000Z';
  expect(readScheduledTime({ day: '2031-11-02', clock: '01:30' }, newYork, stored)).toEqual({ at: new Date(stored) });
  expect(readScheduledTime({ day: '2031-11-02', clock: '01:31' }, newYork, stored).at).toEqual(
    new Date('2031-11-02T05:31:00Z'),
  );
});

test.each([
  ['America/Bogota', '2026-11-22T15:00:00.000Z'],
  ['Asia/Kolkata', '2026-11-22T04:30:00.000Z'],
  ['Pacific/Apia', '2026-11-21T21:00:00.000Z'],
])('10:00 in %s is %s', (zone, iso) => {
  // Some browsers add seconds.
  for (const clock of ['10:00', '10:00:00'])
    expect(readScheduledTime({ day: '2026-11-22', clock }, zone).at?.toISOString()).toBe(iso);
});

test('without a day or a time, both are asked for', () => {
  for (const typed of [
    { day: '', clock: '' },
    { day: '2026-11-22', clock: '' },
    { day: '', clock: '10:00' },
  ])
    expect(readScheduledTime(typed, 'UTC')).toEqual({ fault: 'Choose a day and a time' });
});
