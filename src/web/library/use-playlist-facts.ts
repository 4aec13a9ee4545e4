import { useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { PlaylistChange } from '#domain/library/forms.ts';
import type { UserPlaylist } from '#domain/library/user-playlists.ts';
import { answerOf, api } from '../api.ts';
import { useToast } from '../ui/toast.tsx';

type Facts = Pick<UserPlaylist, 'id' | 'title' | 'background' | 'font' | 'isPublic'>;

/**
 * Title, looks and who may see a playlist of one's own, as they were chosen last. Choices are shown at once and saved one
 * after the other; one that is refused is put back.
 */
export function usePlaylistFacts<Playlist extends Facts>(playlist: Playlist) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const [chosen, setChosen] = useState<PlaylistChange>({});
  const waiting = useRef<PlaylistChange>({});
  const saving = useRef<Promise<string | undefined>>(undefined);

  /** @returns what the last of it was refused with */
  async function saveAll(): Promise<string | undefined> {
    while (Object.keys(waiting.current).length > 0) {
      const change = waiting.current;
      waiting.current = {};
      const answer = await answerOf(api['users-playlists'][':id'].$patch({ param: { id: playlist.id }, json: change }));
      if (answer.ok) continue;
      // Whatever was chosen for the same things meanwhile is still to be tried.
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

    /** For what is pressed: shown at once. */
    async choose(change: Pick<PlaylistChange, 'background' | 'font' | 'isPublic'>): Promise<void> {
      setChosen((before) => ({ ...before, ...change }));
      const refusal = await save(change);
      if (refusal !== undefined) showToast({ text: refusal });
      else if (change.isPublic !== undefined) {
        showToast({ text: change.isPublic ? 'This playlist is public now' : 'This playlist is private now' });
      }
    },

    /** @returns what it was refused with */
    async rename(title: string): Promise<string | undefined> {
      const refusal = await save({ title });
      // The page's own title too.
      if (refusal === undefined) await revalidate();
      return refusal;
    },
  };
}
