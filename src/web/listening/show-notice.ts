import { plural, t } from '@lingui/core/macro';
import type { Notice } from '#player/notices.ts';
import type { Player } from '#player/player.ts';
import { localClock } from '#formats/local/local-clock.ts';
import type { Notice as Toast } from '#web/ui/layers/notice.ts';
import { takeOverPlaying } from './listening-calls.ts';

type NoticeParts = {
  player: Player;
  showToast: (toast: Toast) => void;
  revalidate: () => Promise<void>;
};

export function showNotice(notice: Notice, { player, showToast, revalidate }: NoticeParts): void {
  // So that the page shows what is locked. Not after the end of a session, because that would stop the sound.
  if (notice.kind === 'access-ended' && notice.reason === 'subscription-required') void revalidate();
  const text = noticeText(notice);
  if (notice.kind === 'prolonged')
    return showToast({ text, kind: notice.kind, action: { label: t`Undo`, onPress: notice.undo } });
  if (notice.kind !== 'playing-elsewhere') return showToast({ text });
  showToast({ text, kind: notice.kind, action: { label: t`Play here`, onPress: () => void playHere(player) } });
}

/**
 * Continues what plays on another device. Starts synchronously within the press, because browsers allow sound only
 * then; the newest queue and position follow.
 */
async function playHere(player: Player): Promise<void> {
  player.play();
  const taken = await takeOverPlaying();
  if (taken === undefined) return;
  player.pageShown();
  await player.settle();
  player.playFromQueue(taken.audioId);
  if (player.getSnapshot().current?.id === taken.audioId) player.seekToSeconds(taken.seconds);
}

/** A player reports every ten seconds; one that missed a report may have lost its connection. */
const REPORTED_WITHIN_SECONDS = 12;

export function noticeText(notice: Notice): string {
  switch (notice.kind) {
    case 'queue-on-other-device-newer':
      return t`Your queue was updated from another device`;
    case 'playing-elsewhere': {
      const { secondsAgo, device } = notice;
      return secondsAgo <= REPORTED_WITHIN_SECONDS
        ? t`Playing on another device: ${device}`
        : t`Was playing ${plural(secondsAgo, { one: '# second', other: '# seconds' })} ago on another device: ${device}`;
    }
    case 'stored-page':
      return t`No internet connection. This page is from your downloads and may be out of date.`;
    case 'whole-file':
      return t`Your network does not allow jumping within an audio. Loading all of it first, your place is kept.`;
    case 'taken-over':
      return t`Paused here: your other device is playing now`;
    case 'dropped-from-queue': {
      const { count } = notice;
      return plural(count, {
        one: 'Skipped # audio that is no longer available',
        other: 'Skipped # audios that are no longer available',
      });
    }
    case 'file-broken': {
      const { title, continues } = notice;
      return continues ? t`“${title}” cannot be played. Playing the next audio` : t`“${title}” cannot be played`;
    }
    case 'access-ended':
      if (notice.reason === 'login-required')
        return notice.continues
          ? t`Log in to hear all of your list. Playing what is free`
          : t`Log in to hear all of your list`;
      return notice.continues ? t`Your subscription has ended. Playing what is free` : t`Your subscription has ended`;
    case 'now-locked': {
      const { title, continues } = notice;
      return continues
        ? t`“${title}” is for subscribers now. Playing the next audio`
        : t`“${title}” is for subscribers now.`;
    }
    case 'prolonged': {
      const clock = localClock(notice.until);
      return t`Plays until ${clock}`;
    }
    case 'queue-full': {
      const { limit } = notice;
      return t`Your queue is full: it holds ${plural(limit, { one: '# audio', other: '# audios' })}`;
    }
  }
}
