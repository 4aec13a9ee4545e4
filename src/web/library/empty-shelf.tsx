import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { AudioItem } from '#domain/catalogue/audios.ts';
import type { FavoriteItems } from '#domain/library/favorite-lists.ts';
import { AudioCard } from '#web/catalogue/cards/audio-card.tsx';
import { Rail } from '#web/catalogue/cards/rail.tsx';
import { ForYou } from '#web/catalogue/for-you/for-you.tsx';
import { Section } from '#web/catalogue/cards/section.tsx';
import { useIsOn, useRootData } from '../root-data.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import type { LibraryShelf } from './library-content.tsx';
import { LogInButtons } from './log-in-buttons.tsx';

type EmptyShelfProps = {
  tab: LibraryShelf['tab'];
  isFiltered: boolean;
  ideas: AudioItem[];
  /** Audios for suggestions, which then take the place of ideas. */
  hasHeardEnough: boolean;
  /** Makes a playlist; the Library has it already. */
  children: ReactNode;
};

export function EmptyShelf({ tab, isFiltered, ideas, hasHeardEnough, children }: EmptyShelfProps) {
  const areListsOn = useIsOn('userPlaylists');
  const isOff = useRootData()?.preferences.hasNoSuggestions === true;
  if (isFiltered)
    return <EmptyState title={t`No results found`} text={t`Check the spelling, or filter by another word.`} />;
  if (tab === 'own') {
    return (
      <EmptyState title={t`No playlists yet`} text={t`Group audios into your own playlists, private or shared.`}>
        {children}
      </EmptyState>
    );
  }
  return (
    <>
      <EmptyState title={t`No favorites yet`} text={t`Save you favorite audios, playlists, and Creators here.`}>
        <Button variant="primary" render={<Link to={ways[tab === 'users' && !areListsOn ? 'audios' : tab]} />}>
          {t`Browse audios`}
        </Button>
      </EmptyState>
      {hasHeardEnough && !isOff ? (
        <ForYou isEnough />
      ) : (
        ideas.length > 0 && (
          <Section title={t`A place to start`}>
            <Rail>
              {ideas.map((audio, index) => (
                <AudioCard
                  key={audio.id}
                  audios={ideas}
                  index={index}
                  source="favorites"
                  listName={t`A place to start`}
                />
              ))}
            </Rail>
          </Section>
        )
      )}
    </>
  );
}

/** For visitors. */
export function SignInFirst() {
  return (
    <EmptyState
      title={t`Sign in to see your Library`}
      text={t`Favorites and playlists stay with your account, on every device.`}
    >
      <LogInButtons />
    </EmptyState>
  );
}

/** Pages on which to find items for a tab. */
const ways: Record<keyof FavoriteItems, string> = {
  audios: '/audios',
  voices: '/creators',
  categories: '/categories',
  playlists: '/playlists',
  users: '/users-playlists',
};
