import { countOf } from '#formats/numbers.ts';
import type { Notice } from '#player/notices.ts';
import type { Player } from '#player/player.ts';
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
  if (notice.kind !== 'playing-elsewhere') return showToast({ text });
  showToast({ text, kind: notice.kind, action: { label: 'Play here', onPress: () => void playHere(player) } });
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
      return 'Your queue was updated from another device';
    case 'playing-elsewhere':
      return notice.secondsAgo <= REPORTED_WITHIN_SECONDS
        ? `Playing on another device: ${notice.device}`
        : `Was playing ${notice.secondsAgo} seconds ago on another device: ${notice.device}`;
    case 'stored-page':
      return 'No internet connection. This page is from your downloads and may be out of date.';
    case 'whole-file':
      return 'Your network does not allow jumping within an audio. Loading all of it first, your place is kept.';
    case 'taken-over':
      return 'Paused here: your other device is playing now';
    case 'dropped-from-queue':
      return notice.count === 1
        ? 'Skipped 1 audio that is no longer available'
        : `Skipped ${countOf(notice.count, 'audio')} that are no longer available`;
    case 'file-broken':
      return notice.continues
        ? `“${notice.title}” cannot be played. Playing the next audio`
        : `“${notice.title}” cannot be played`;
    case 'access-ended':
      return [
        notice.reason === 'login-required' ? 'Log in to hear all of your list' : 'Your subscription has ended',
        ...(notice.continues ? ['Playing what is free'] : []),
      ].join('. ');
    case 'now-locked':
      return `“${notice.title}” is for subscribers now.${notice.continues ? ' Playing the next audio' : ''}`;
    case 'queue-full':
      return `Your queue is full: it holds ${countOf(notice.limit, 'audio')}`;
  }
}
