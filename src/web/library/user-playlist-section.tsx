import { href } from 'react-router';
import type { UserPlaylistItem } from '#web/list-items.ts';
import { Rail } from '#web/catalogue/cards/rail.tsx';
import { Section } from '#web/catalogue/cards/section.tsx';
import { UserPlaylistCard } from './user-playlist-card.tsx';

export function UserPlaylistSection({ title, playlists }: { title: string; playlists: UserPlaylistItem[] }) {
  if (playlists.length === 0) return null;
  return (
    <Section title={title} more={{ label: 'See all', to: href('/users-playlists') }} place="below">
      <Rail width="5">
        {playlists.map((playlist) => (
          <UserPlaylistCard key={playlist.id} playlist={playlist} source="homepage" />
        ))}
      </Rail>
    </Section>
  );
}
