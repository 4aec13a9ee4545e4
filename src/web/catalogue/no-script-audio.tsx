import { Trans } from '@lingui/react/macro';
import type { AudioItem } from '#domain/catalogue/audios.ts';
import { canPlay } from '#domain/listening/rules.ts';
import { useListener } from '#web/listening/player-provider.tsx';

/**
 * The browser’s own player, for pages without JavaScript; listeners who may not hear the audio read why there is none.
 */
export function NoScriptAudio({ audio }: { audio: AudioItem }) {
  const viewer = useListener();
  if (!canPlay(viewer, audio)) {
    return (
      <noscript>
        <p className="mt-4 text-muted">
          <Trans>Locked. This audio is for subscribers.</Trans>
        </p>
      </noscript>
    );
  }
  return (
    <noscript>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- the page has the transcript */}
      <audio controls preload="none" src={audio.audioFileUrl} className="mt-4 w-full" aria-label={audio.title} />
    </noscript>
  );
}
