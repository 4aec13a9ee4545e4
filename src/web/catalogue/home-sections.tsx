import { href } from 'react-router';
import type { CategoryItem, PlaylistItem, VoiceItem } from '#web/list-items.ts';
import { CardGrid } from './cards/card-grid.tsx';
import { CategoryTile } from './cards/category-tile.tsx';
import { PlaylistCard } from './cards/playlist-card.tsx';
import { Rail } from './cards/rail.tsx';
import { Section } from './cards/section.tsx';
import { VoiceCard } from './cards/voice-card.tsx';

type CategorySectionProps = { title: string; categories: CategoryItem[]; isGrid: boolean };

export function CategorySection({ title, categories, isGrid }: CategorySectionProps) {
  if (categories.length === 0) return null;
  const tiles = categories.map((category) => <CategoryTile key={category.id} category={category} source="homepage" />);
  return (
    <Section title={title} more={{ label: 'See all', to: href('/categories') }} place="below">
      {isGrid ? <CardGrid columns="4">{tiles}</CardGrid> : <Rail width="4">{tiles}</Rail>}
    </Section>
  );
}

export function VoiceSection({ title, voices }: { title: string; voices: VoiceItem[] }) {
  if (voices.length === 0) return null;
  return (
    <Section title={title} more={{ label: 'All creators', to: href('/creators') }} place="below">
      <Rail>
        {voices.map((voice) => (
          <VoiceCard key={voice.id} voice={voice} source="homepage" variant="rail" />
        ))}
      </Rail>
    </Section>
  );
}

export function PlaylistSection({ title, playlists }: { title: string; playlists: PlaylistItem[] }) {
  if (playlists.length === 0) return null;
  return (
    <Section title={title} more={{ label: 'See all', to: href('/playlists') }} place="below">
      <Rail>
        {playlists.map((playlist) => (
          <PlaylistCard key={playlist.id} playlist={playlist} source="homepage" variant="rail" />
        ))}
      </Rail>
    </Section>
  );
}
