import type { ContentSource } from '#domain/analytics/forms.ts';
import type { VoiceItem } from '../../list-items.ts';
import { Cover } from '#web/ui/images/cover.tsx';
import { VoiceLink } from '../content-link.tsx';
import { voiceTypeText } from '../voice-type-text.ts';
import { gridSizes, railSizes } from './rail.tsx';

type VoiceCardProps = { voice: VoiceItem; source: ContentSource; variant: 'rail' | 'grid'; priority?: boolean };

export function VoiceCard({ voice, source, variant, priority = false }: VoiceCardProps) {
  return (
    <VoiceLink className="card card--voice" voice={voice} source={source}>
      <Cover
        imageUrl={voice.imageURL}
        shape="arch"
        width={variant === 'rail' ? 193 : 237}
        sizes={variant === 'rail' ? railSizes : gridSizes}
        priority={priority ? 'high' : 'low'}
      />
      <p className="card__title truncate">{voice.name}</p>
      <p className="card__line truncate">
        {voiceTypeText(voice.voiceTypeLabel)}
        {voice.category && <span className="dot">{voice.category.name}</span>}
      </p>
    </VoiceLink>
  );
}
