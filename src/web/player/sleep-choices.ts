import type { SleepSetting, SleepSnapshot } from '#player/sleep/sleep-state.ts';
import { countOf } from '#formats/numbers.ts';
import { formatTime } from '#formats/durations.ts';

/** `name` is the accessible name; `label` is the short text for small spaces. */
type SleepChoice = { label: string; name: string; setting: SleepSetting };

/** Choices of the sleep timer (product, “Playing”: minutes, or end of this audio). */
export const sleepChoices: { legend: string; choices: SleepChoice[] }[] = [
  {
    legend: 'Sleep in',
    choices: [5, 10, 15, 30, 45, 60].map((minutes) => ({
      label: `${minutes} min`,
      name: countOf(minutes, 'minute'),
      setting: { kind: 'minutes', minutes },
    })),
  },
  {
    legend: 'Or at the end',
    choices: [
      { label: 'End of this audio', name: 'End of this audio', setting: { kind: 'end-of-audio' } },
      ...[2, 3, 5].map((count) => ({
        label: countOf(count, 'audio'),
        name: `After ${countOf(count, 'audio')}`,
        setting: { kind: 'after', count } as const,
      })),
    ],
  },
];

export function describeSleep({ setting, remainingSeconds, remainingAudios }: SleepSnapshot): string {
  if (setting === null) return '';
  if (setting.kind === 'minutes') return `Sleeps in ${formatTime(remainingSeconds ?? setting.minutes * 60)}`;
  if (remainingAudios !== null && remainingAudios > 1) return `Sleeps after ${countOf(remainingAudios, 'audio')}`;
  return remainingSeconds === null
    ? 'Sleeps at the end of this audio'
    : `Sleeps with this audio, in ${formatTime(remainingSeconds)}`;
}

export function isSameSleep(a: SleepSetting, b: SleepSetting): boolean {
  if (a.kind === 'minutes') return b.kind === 'minutes' && a.minutes === b.minutes;
  if (a.kind === 'after') return b.kind === 'after' && a.count === b.count;
  return b.kind === 'end-of-audio';
}
