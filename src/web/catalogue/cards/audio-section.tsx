import type { ContentSource } from '#domain/analytics/forms.ts';
import type { AudioItem } from '#domain/catalogue/audios.ts';
import { AudioCard } from './audio-card.tsx';
import { Rail } from './rail.tsx';
import { Section } from './section.tsx';

type AudioSectionProps = {
  title: string;
  /** Address of the full list. */
  to?: string;
  audios: AudioItem[];
  source: ContentSource;
  place?: 'first' | 'below';
};

export function AudioSection({ title, to, audios, source, place }: AudioSectionProps) {
  return (
    <Section title={title} more={to === undefined ? undefined : { label: 'See all', to }} place={place}>
      {audios.length === 0 ? (
        <p className="text-muted">No new audios</p>
      ) : (
        <Rail>
          {audios.map((audio, index) => (
            <AudioCard key={audio.id} audios={audios} index={index} source={source} listName={title} />
          ))}
        </Rail>
      )}
    </Section>
  );
}
