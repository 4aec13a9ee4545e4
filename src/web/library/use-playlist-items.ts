import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { useRevalidator } from 'react-router';
import type { AudioRowItem } from '#domain/catalogue/audios.ts';
import type { UserPlaylist } from '#domain/library/user-playlists.ts';
import type { Page } from '#domain/kernel/pages.ts';
import { answerOf, api } from '../api.ts';
import { useToast } from '../ui/toast.tsx';
import { movedTo, neighboursOf, putBetween } from './playlist-order.ts';
import { useWholeList } from './use-whole-list.ts';

const asJson = { headers: { 'content-type': 'application/json' } };

type PlaylistItemsOptions = { playlist: UserPlaylist; page: Page<AudioRowItem>; list: RefObject<HTMLElement | null> };

/**
 * Audios of the user’s own playlist, to move and remove. Each change shows at once and is sent after the one before; a
 * refused one is reverted. Each call moves one audio relative to its neighbors, so that two tabs do not overwrite each
 * other.
 */
export function usePlaylistItems({ playlist, page, list }: PlaylistItemsOptions) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const { items, change, ...pages } = useWholeList(page, `/v1/api/users-playlists/${playlist.id}/audios`, list);
  // Growth of the list since the page loaded.
  const [grown, setGrown] = useState({ of: page, audios: 0, seconds: 0 });
  if (grown.of !== page) setGrown({ of: page, audios: 0, seconds: 0 });
  const sent = useRef(Promise.resolve());
  const now = useRef({ items, goesOn: pages.nextCursor !== undefined });
  useEffect(() => {
    now.current = { items, goesOn: pages.nextCursor !== undefined };
  });
  const calls = api['users-playlists'][':id'];
  const param = { id: playlist.id };

  /** Sends calls one after the other, in order. */
  function inTurn(send: () => Promise<void>): void {
    sent.current = sent.current.then(send);
  }

  function grow(audio: AudioRowItem, by: 1 | -1): void {
    setGrown((before) => ({
      ...before,
      audios: before.audios + by,
      seconds: before.seconds + by * audio.numberDuration,
    }));
  }

  function move(from: number, to: number): void {
    const { items: before, goesOn } = now.current;
    const audio = before[from];
    if (audio === undefined) return;
    const place = neighboursOf(before, from, goesOn);
    const after = movedTo(before, from, to);
    now.current = { items: after, goesOn };
    change((shown) => movedTo(shown, from, to));
    const next = neighboursOf(after, to, goesOn);
    inTurn(async () => {
      const answer = await answerOf(calls.move.$post({ param, json: { audioId: audio.id, ...next } }));
      if (answer.ok) return;
      showToast({ text: answer.message });
      // The site refused, because its list differs from this one: reload. Without an answer there is nothing to reload
      // from.
      if (answer.status > 0) await revalidate();
      else change((shown) => putBetween(shown, audio, place));
    });
  }

  function remove(audioId: string): void {
    const { items: before, goesOn } = now.current;
    const at = before.findIndex(({ id }) => id === audioId);
    const audio = before[at];
    if (audio === undefined) return;
    const place = neighboursOf(before, at, goesOn);
    const putBack = () => {
      // Undo after a refusal: the audio is already back.
      if (now.current.items.some(({ id }) => id === audioId)) return;
      change((shown) => putBetween(shown, audio, place));
      grow(audio, 1);
    };
    now.current = { items: before.toSpliced(at, 1), goesOn };
    change((shown) => shown.filter(({ id }) => id !== audioId));
    grow(audio, -1);
    inTurn(async () => {
      const answer = await answerOf(calls.audios[':audioId'].$delete({ param: { ...param, audioId } }, asJson));
      if (answer.ok) return;
      putBack();
      showToast({ text: answer.message });
    });
    showToast({
      text: `Removed “${audio.title}” from “${playlist.title}”`,
      kind: `removed ${audioId}`,
      action: {
        label: 'Undo',
        onPress() {
          putBack();
          inTurn(async () => {
            const added = await answerOf(calls.audios.$post({ param, json: { audioIds: [audioId] } }));
            const answer = added.ok ? await answerOf(calls.move.$post({ param, json: { audioId, ...place } })) : added;
            if (answer.ok) return;
            showToast({ text: answer.message });
            if (answer.status > 0) return revalidate();
            change((shown) => shown.filter(({ id }) => id !== audioId));
            grow(audio, -1);
          });
        },
      },
    });
  }

  return {
    items,
    move,
    remove,
    pages,
    totalAudios: playlist.totalAudios + grown.audios,
    totalDuration: playlist.totalDuration + grown.seconds,
  };
}
