import { Link } from 'react-router';
import type { Voice } from '#domain/catalogue/voices.ts';
import type { ContentSource } from '#domain/insight/forms.ts';
import { track } from '#web/insight/track.ts';
import { Cover } from '#web/ui/cover.tsx';
import { voiceHref } from './links.ts';
import { gridSizes, railSizes } from './rail.tsx';

type VoiceCardProps = { voice: Voice; source: ContentSource; look: 'rail' | 'grid'; priority?: boolean };

export function VoiceCard({ voice, source, look, priority = false }: VoiceCardProps) {
  return (
    <Link
      className="card card--v"
      to={voiceHref(voice)}
      onClick={() => track('voice_click', { source, subjectId: voice.id })}
    >
      <Cover
        imageUrl={voice.imageURL}
        shape="arch"
        width={look === 'rail' ? 193 : 237}
        sizes={look === 'rail' ? railSizes : gridSizes}
        priority={priority ? 'high' : 'low'}
      />
      <p className="card__t trunc whitespace-nowrap">{voice.name}</p>
      <p className="card__s trunc">
        {voice.voiceTypeLabel}
        {voice.category && <span className="dot">{voice.category.name}</span>}
      </p>
    </Link>
  );
}
