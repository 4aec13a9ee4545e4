import type { Track } from '#player/track.ts';
import { formatTime } from '#formats/durations.ts';
import { logEvent } from '#web/analytics/log-event.ts';
import { useCopyLink } from '#web/analytics/use-copy-link.ts';
import { shareAddress } from '../listening/arrival.ts';
import { sourceOf } from '../listening/track-of.ts';

/**
 * Copies a link to an audio at the listener’s position or, on the second press, at its beginning. Needs an account
 * (spec §6).
 */
export function useCopyTrackLink(): (track: Track, seconds: number) => void {
  const copyLink = useCopyLink();

  return function copy(track, seconds) {
    const { title, slug, imageUrl, id } = track;
    const isWithTime = Math.floor(seconds) > 0;
    copyLink({
      name: title,
      address: shareAddress(slug, seconds, window.location.origin),
      imageUrl,
      onCopy: () => logEvent('share_audio', { source: sourceOf(track), subjectId: id }),
      ...(isWithTime && {
        notice: {
          text: `Link copied, starts at ${formatTime(seconds)}`,
          action: { label: 'From the start', onPress: () => copy(track, 0) },
        },
      }),
    });
  };
}
