import type { Notice } from '#player/notices.ts';
import type { Player } from '#player/player.ts';
import type { Notice as Toast } from '#web/ui/layers/notice.ts';
import { takeOverPlaying } from './listening-calls.ts';
import { noticeText } from './notice-text.ts';

type NoticeParts = {
  player: Player;
  showToast: (toast: Toast) => void;
  /** Reads the page's data again. */
  revalidate: () => Promise<void>;
};

/** Shows a notice of the player, with its action. */
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
