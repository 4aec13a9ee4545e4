import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { href, Link, Outlet } from 'react-router';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { metaOf } from '../../page-meta.ts';
import { orNotFound } from '../../route-errors.ts';
import { managedVoice } from '../../studio/managed-voice.ts';
import type { Route } from './+types/audio-preview';

export async function loader({ context, params }: Route.LoaderArgs) {
  const { site, viewer, voice } = await managedVoice(context, params.voice);
  const audio = orNotFound(await site.studio.findAudioFacts(viewer, params.id));
  return { id: audio.id, voiceSlug: voice.slug, isLive: audio.state === 'published' };
}

/** For a page whose loader failed; the audio's own page sets the title otherwise. */
export const meta = metaOf(undefined);

/** The page of an audio as listeners will see it, marked as a preview. */
export default function StudioAudioPreview({ loaderData: { id, voiceSlug, isLive } }: Route.ComponentProps) {
  return (
    <>
      <div className="wrap">
        <div
          className="note note--info mt-4 items-center"
          role="note"
          aria-label={t({ message: 'Preview', context: 'of a page' })}
        >
          <span className="min-w-0 flex-1">
            <b>
              <Trans>Preview.</Trans>
            </b>{' '}
            {isLive
              ? t`Listeners see it like this once you publish your changes.`
              : t`Only you see it. It is not published.`}
          </span>
          <Button size="sm" render={<Link to={href('/studio/:voice/audios/:id', { voice: voiceSlug, id })} />}>
            <Icon of={ArrowLeft} size={16} />
            <Trans>Back to editing</Trans>
          </Button>
        </div>
      </div>
      <Outlet />
    </>
  );
}
