import { t } from '@lingui/core/macro';
import type { Track } from '#player/track.ts';
import { formatTime } from '#formats/durations.ts';
import { logEvent } from '#web/analytics/log-event.ts';
import { useCopyLink } from '#web/analytics/use-share-link.ts';
import { shareAddress } from '../listening/arrival.ts';
import { usePlayerCommands } from '../listening/player-provider.tsx';
import { sourceOf } from '../listening/track-of.ts';

/**
 * Copies a link to the current audio at the listener’s position or, on the second press, at its beginning. Needs an
 * account (spec §6).
 */
export function useCopyTrackLink(): (current: Track) => void {
  const copyLink = useCopyLink();
  const { getPosition } = usePlayerCommands();

  function copy(track: Track, seconds: number): void {
    const { title, slug, imageUrl, id } = track;
    const time = formatTime(seconds);
    copyLink({
      name: title,
      address: shareAddress(slug, seconds, window.location.origin),
      imageUrl,
      onCopy: () => logEvent('share_audio', { source: sourceOf(track), subjectId: id }),
      ...(seconds >= 1 && {
        notice: {
          text: t`Link copied, starts at ${time}`,
          action: { label: t`From the start`, onPress: () => copy(track, 0) },
        },
      }),
    });
  }
  return (current) => copy(current, getPosition());
}
