import { plural, t } from '@lingui/core/macro';

/** Call to action for a visitor who pressed a locked audio. */
export function trialCall(trialDays: number): string {
  return trialDays === 0
    ? t`Subscribe, or log in.`
    : plural(trialDays, {
        one: 'Start a #-day free trial, or log in.',
        other: 'Start a #-day free trial, or log in.',
      });
}

/** Text about a locked audio. @param trialDays shown to visitors only; undefined promises nothing */
export function lockedLine(title: string, trialDays?: number): string {
  const locked = t`“${title}” is for subscribers.`;
  return trialDays === undefined ? locked : `${locked} ${trialCall(trialDays)}`;
}
