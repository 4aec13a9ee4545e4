import { t } from '@lingui/core/macro';
import type { AudioPerformer } from '#domain/studio/audios/performers.ts';
import { formatDateTime, formatShortDate } from '#formats/moments.ts';
import { formatDate } from '#formats/times.ts';

/** State of a consent, in words. @param zone the reader’s */
export function performerText(performer: AudioPerformer, zone: string | undefined): string {
  const check =
    performer.verifiedUntil === null ? undefined : t`Verified until ${{ day: formatDate(performer.verifiedUntil) }}.`;
  return [answerText(performer, zone), check].filter(Boolean).join(' ');
}

function answerText(performer: AudioPerformer, zone: string | undefined): string {
  const { state, reference, answeredAt, isOutdated, maskedEmail, sentAt, isOpened } = performer;
  if (state === 'asked') {
    const email = maskedEmail ?? '';
    const day = formatShortDate(sentAt ?? '');
    return isOpened ? t`Link sent to ${email} on ${day}, opened.` : t`Link sent to ${email} on ${day}, not opened yet.`;
  }
  const time = formatDateTime(answeredAt ?? '', zone);
  if (state === 'refused') return t`Did not agree on ${time}.`;
  if (state === 'withdrawn') return t`Took the consent back on ${time}.`;
  if (reference !== null) return t`On record, ${reference}`;
  return isOutdated ? t`Agreed to the former sound on ${time}. Send the link again.` : t`Agreed by link on ${time}.`;
}
