import { useEffect, useRef, useState } from 'react';
import type { AudioItem } from '#domain/catalogue/audios.ts';
import type { UserPlaylist } from '#domain/library/user-playlists.ts';
import { isActive, stateOf } from '#web/listening/playback.ts';
import { useListName, usePlayerState } from '#web/listening/player-provider.tsx';
import { sourceOf } from '#web/listening/track-of.ts';
import { answerOf, api } from '../api.ts';

/**
 * Reports the start of an audio from this list; the server decides which plays count.
 * @returns the list’s current number of plays
 */
export function useCountPlaylistPlay(playlist: UserPlaylist, audios: readonly AudioItem[]): number {
  const { id, isPublic, title } = playlist;
  const [counted, setCounted] = useState<{ id: string; plays: number }>();
  const reported = useRef<string>(undefined);
  const listName = useListName();
  const playing = usePlayerState((snapshot) => {
    const { current } = snapshot;
    if (current === null || sourceOf(current) !== 'userPlaylist') return undefined;
    return isActive(stateOf(snapshot, current.id)) ? current.id : undefined;
  });
  const started = listName === title && audios.some((audio) => audio.id === playing) ? playing : undefined;

  useEffect(() => {
    if (started === undefined || !isPublic || reported.current === id + started) return;
    reported.current = id + started;
    void answerOf(api['users-playlists'][':id'].play.$post({ param: { id } })).then(
      (answer) => answer.ok && setCounted({ id, plays: answer.data.plays }),
    );
  }, [id, isPublic, started]);

  return counted?.id === id ? counted.plays : playlist.plays;
}
