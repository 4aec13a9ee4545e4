import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ContentSource } from '#domain/analytics/forms.ts';
import type { AudioItem } from '#domain/catalogue/audios.ts';
import type { Note } from '../chosen-languages.ts';
import { ListNote } from '../list-note.tsx';
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
  note?: Note | undefined;
};

export function AudioSection({ title, to, audios, source, place, note }: AudioSectionProps) {
  return (
    <Section title={title} more={to === undefined ? undefined : { label: t`See all`, to }} place={place}>
      <ListNote note={note} className="mb-4" />
      {audios.length === 0 ? (
        <p className="text-muted">
          <Trans>No new audios</Trans>
        </p>
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
