import { Trans } from '@lingui/react/macro';
import type { AudioItem } from '#domain/catalogue/audios.ts';
import { canPlay } from '#domain/listening/rules.ts';
import { AgeLink } from '#web/age/age-link.tsx';
import { useListener } from '#web/listening/player-provider.tsx';

/**
 * The browser’s own player, for pages without JavaScript; listeners who may not hear the audio read why there is none.
 */
export function NoScriptAudio({ audio }: { audio: AudioItem }) {
  const viewer = useListener();
  // In the browser, React leaves out what is in it, so that no code is needed for it.
  if (viewer.ageMissing !== undefined) return <noscript>{import.meta.env.SSR && <AgeLink />}</noscript>;
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
