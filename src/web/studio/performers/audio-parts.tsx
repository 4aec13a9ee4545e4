import { t } from '@lingui/core/macro';
import { href, NavLink } from 'react-router';
import { Waiting } from '#web/workshop/side-navigation.tsx';

type AudioPartsProps = {
  audio: { id: string; voice: { slug: string } };
  /** Performers who have not agreed. */
  waiting: number;
};

/** Links to the parts of an audio. */
export function AudioParts({ audio: { id, voice }, waiting }: AudioPartsProps) {
  const at = { voice: voice.slug, id };
  return (
    <nav className="audio-parts" aria-label={t`Parts of the audio`}>
      <NavLink end to={href('/studio/:voice/audios/:id', at)}>{t`Sound and text`}</NavLink>
      <NavLink to={href('/studio/:voice/audios/:id/performers', at)}>
        {t`Performers`}
        {waiting > 0 && <Waiting count={waiting} />}
      </NavLink>
      <NavLink to={href('/studio/:voice/audios/:id/credits', at)}>{t`Credits`}</NavLink>
    </nav>
  );
}
