import { t } from '@lingui/core/macro';
import { useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { PlaylistChange } from '#domain/library/forms.ts';
import type { UserPlaylist } from '#domain/library/user-playlists.ts';
import { answerOf, api } from '../api.ts';
import { useToast } from '../ui/layers/toast.tsx';

type Facts = Pick<UserPlaylist, 'id' | 'title' | 'background' | 'font' | 'isPublic'>;

/**
 * Title, looks and visibility of the user’s own playlist. Choices show at once and are saved one after the other; a
 * refused one is reverted.
 */
export function usePlaylistFacts<Playlist extends Facts>(playlist: Playlist) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const [chosen, setChosen] = useState<PlaylistChange>({});
  const waiting = useRef<PlaylistChange>({});
  const saving = useRef<Promise<string | undefined>>(undefined);

  /** @returns the error message of the last call, if refused */
  async function saveAll(): Promise<string | undefined> {
    while (Object.keys(waiting.current).length > 0) {
      const change = waiting.current;
      waiting.current = {};
      const answer = await answerOf(api['users-playlists'][':id'].$patch({ param: { id: playlist.id }, json: change }));
      if (answer.ok) continue;
      // Values chosen again meanwhile are still to be saved, so they are not reverted.
      const refused = Object.keys(change).filter((name) => !(name in waiting.current));
      setChosen((now) => Object.fromEntries(Object.entries(now).filter(([name]) => !refused.includes(name))));
      if (Object.keys(waiting.current).length === 0) return answer.message;
    }
    return undefined;
  }

  async function save(change: PlaylistChange): Promise<string | undefined> {
    waiting.current = { ...waiting.current, ...change };
    saving.current ??= saveAll().finally(() => {
      saving.current = undefined;
    });
    return saving.current;
  }

  return {
    playlist: { ...playlist, ...chosen } as Playlist,

    /** For values picked with one press: shown at once. */
    async choose(change: Pick<PlaylistChange, 'background' | 'font' | 'isPublic'>): Promise<void> {
      setChosen((before) => ({ ...before, ...change }));
      const refusal = await save(change);
      if (refusal !== undefined) showToast({ text: refusal });
      else if (change.isPublic !== undefined) {
        showToast({ text: change.isPublic ? t`This playlist is public now` : t`This playlist is private now` });
      }
    },

    /** @returns the error message, if refused */
    async rename(title: string): Promise<string | undefined> {
      const refusal = await save({ title });
      // The page’s title changes too.
      if (refusal === undefined) await revalidate();
      return refusal;
    },
  };
}
