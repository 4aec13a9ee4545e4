import { plural, t } from '@lingui/core/macro';
import type { SleepSetting, SleepSnapshot } from '#player/sleep/sleep-state.ts';
import { formatTime } from '#formats/durations.ts';

/** `name` is the accessible name; `label` is the short text for small spaces. */
type SleepChoice = { label: string; name: string; setting: SleepSetting };

/** Choices of the sleep timer (product, “Playing”: minutes, or end of this audio). */
export const sleepChoices = (): { legend: string; choices: SleepChoice[] }[] => [
  {
    legend: t`Sleep in`,
    choices: [5, 10, 15, 30, 45, 60].map((minutes) => ({
      label: t`${minutes} min`,
      name: plural(minutes, { one: '# minute', other: '# minutes' }),
      setting: { kind: 'minutes', minutes },
    })),
  },
  {
    legend: t`Or at the end`,
    choices: [
      { label: t`End of this audio`, name: t`End of this audio`, setting: { kind: 'end-of-audio' } },
      ...[2, 3, 5].map((count) => ({
        label: plural(count, { one: '# audio', other: '# audios' }),
        name: t`After ${plural(count, { one: '# audio', other: '# audios' })}`,
        setting: { kind: 'after', count } as const,
      })),
    ],
  },
];

/** @param clock when a timer of minutes ends. @param fades whether this browser can fade the sound */
export function describeSleep(
  { setting, remainingSeconds, remainingAudios }: SleepSnapshot,
  clock: string,
  fades: boolean,
): string {
  if (setting === null) return '';
  if (setting.kind === 'minutes')
    return fades ? t`Stops at ${clock}, after fading out for 30 seconds` : t`Stops at ${clock}`;
  const time = formatTime(remainingSeconds ?? 0);
  if (remainingAudios !== null && remainingAudios > 1)
    return t`Sleeps after ${plural(remainingAudios, { one: '# audio', other: '# audios' })}`;
  return remainingSeconds === null ? t`Sleeps at the end of this audio` : t`Sleeps with this audio, in ${time}`;
}

export function isSameSleep(a: SleepSetting, b: SleepSetting): boolean {
  if (a.kind === 'minutes') return b.kind === 'minutes' && a.minutes === b.minutes && a.renews === b.renews;
  if (a.kind === 'after') return b.kind === 'after' && a.count === b.count;
  return b.kind === 'end-of-audio';
}
