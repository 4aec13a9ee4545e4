import type { Notice } from '#player/notices.ts';
import { formatCount, formatCountOf } from '#web/format.ts';

/** What the player has to say, in one line. */
export function noticeText(notice: Notice): string {
  switch (notice.kind) {
    case 'queue-on-other-device-newer':
      return 'Your queue was changed on another device, and is shown as it is there';
    case 'dropped-from-queue':
      return notice.count === 1
        ? '1 audio is no longer available and was left out'
        : `${formatCountOf(notice.count, 'audio')} are no longer available and were left out`;
    case 'file-broken':
      return notice.goesOn
        ? `“${notice.title}” cannot be played. Going on with the next`
        : `“${notice.title}” cannot be played`;
    case 'queue-full':
      return `Your queue is full: it holds ${formatCount(notice.limit)} audios`;
  }
}
