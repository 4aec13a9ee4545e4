import type { Track } from '#player/track.ts';
import { formatTime } from '#web/format.ts';
import { track as tell } from '#web/insight/track.ts';
import { useCopyLink } from '#web/shell/use-copy-link.ts';
import { shareAddress } from './arrival.ts';
import { sourceOf } from './track-of.ts';

/** Copies the address of an audio that starts where the listener is, or, asked once more, at its beginning. Needs an account (spec §6). */
export function useCopyTrackLink(): (track: Track, seconds: number) => void {
  const copyLink = useCopyLink();

  return function copy(track, seconds) {
    const { title, slug, imageUrl, id } = track;
    const isWithTime = Math.floor(seconds) > 0;
    copyLink({
      name: title,
      address: shareAddress(slug, seconds, window.location.origin),
      imageUrl,
      onCopy: () => tell('share_audio', { source: sourceOf(track), subjectId: id }),
      ...(isWithTime && {
        notice: {
          text: `Link copied, starts at ${formatTime(seconds)}`,
          action: { label: 'From the start', onPress: () => copy(track, 0) },
        },
      }),
    });
  };
}
