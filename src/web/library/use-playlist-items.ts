import { plural, t } from '@lingui/core/macro';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { AudioRowItem } from '#domain/catalogue/audios.ts';
import type { UserPlaylist } from '#domain/library/user-playlists.ts';
import type { Page } from '#domain/kernel/pages.ts';
import { callEach } from '#player/listeners.ts';
import { type Answer, answerOf, api } from '../api.ts';
import { useToast } from '../ui/layers/toast.tsx';
import { movedTo, neighboursOf, putBetween } from './playlist-order.ts';
import { useWholeList } from './use-whole-list.ts';

/** Calls that are sent in order. */
type Sent = {
  last: Promise<void>;
  /** Calls without an answer yet. */
  waiting: number;
  /** Takes back what failed, latest first. */
  undo: (() => void)[];
  /** After a 429, which the calls that wait would get too. */
  isStopped: boolean;
  /** A call failed, so the site's list may differ from the shown one. */
  isStale: boolean;
};

type PlaylistItemsOptions = { playlist: UserPlaylist; page: Page<AudioRowItem>; list: RefObject<HTMLElement | null> };

/**
 * Audios of the user’s own playlist, to move and remove. Each change shows at once and is sent after the one before; a
 * refused one is reverted. Each call moves one audio relative to its neighbors, so that two tabs do not overwrite each
 * other.
 */
export function usePlaylistItems({ playlist, page, list }: PlaylistItemsOptions) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const { items, change, reload, ...pages } = useWholeList(page, `/v1/api/users-playlists/${playlist.id}/audios`, list);
  // Growth of the list since the page loaded.
  const [grown, setGrown] = useState({ of: page, audios: 0, seconds: 0 });
  if (grown.of !== page) setGrown({ of: page, audios: 0, seconds: 0 });
  const sent = useRef<Sent>({ last: Promise.resolve(), waiting: 0, undo: [], isStopped: false, isStale: false });
  const now = useRef({ items, hasMore: pages.nextCursor !== undefined });
  useEffect(() => {
    now.current = { items, hasMore: pages.nextCursor !== undefined };
  });
  // The page was loaded again: its audios beyond the first ones may have changed too.
  const loaded = useRef(page);
  const readAgain = useEffectEvent(() => {
    if (sent.current.waiting > 0) sent.current.isStale = true;
    else reload();
  });
  useEffect(() => {
    if (loaded.current !== page) readAgain();
    loaded.current = page;
  }, [page]);
  const calls = api['users-playlists'][':id'];
  const param = { id: playlist.id };

  /** Sends calls one after the other, in order. Once all are answered, failed ones are undone and the page reloads. */
  function inTurn(send: () => Promise<Answer<unknown>>, undo: () => void): void {
    const all = sent.current;
    all.waiting += 1;
    all.last = all.last.then(async () => {
      const answer = all.isStopped ? undefined : await send();
      all.waiting -= 1;
      if (!answer?.ok) {
        all.undo.unshift(undo);
        all.isStale = true;
        all.isStopped ||= answer?.status === 429;
        if (answer) showToast({ text: answer.message });
      }
      if (all.waiting > 0 || !all.isStale) return;
      all.isStopped = false;
      callEach(all.undo.splice(0));
      // Without an answer there is nothing to reload from.
      if (answer?.ok === false && answer.status === 0) return;
      all.isStale = false;
      await revalidate();
    });
  }

  function grow(audio: AudioRowItem, by: 1 | -1): void {
    setGrown((before) => ({
      ...before,
      audios: before.audios + by,
      seconds: before.seconds + by * audio.numberDuration,
    }));
  }

  /** Several acts may come before the next rendering. */
  function show(edit: (shown: AudioRowItem[]) => AudioRowItem[]): void {
    now.current = { ...now.current, items: edit(now.current.items) };
    change(edit);
  }

  function move(from: number, to: number): void {
    const { items: before, hasMore } = now.current;
    const audio = before[from];
    if (audio === undefined) return;
    const place = neighboursOf(before, from, hasMore);
    const next = neighboursOf(movedTo(before, from, to), to, hasMore);
    show((shown) => putBetween(shown, audio, next));
    inTurn(
      () => answerOf(calls.move.$post({ param, json: { audioId: audio.id, ...next } })),
      () => show((shown) => putBetween(shown, audio, place)),
    );
  }

  function remove(audioId: string): void {
    const { items: before, hasMore } = now.current;
    const at = before.findIndex(({ id }) => id === audioId);
    const audio = before[at];
    if (audio === undefined) return;
    const place = neighboursOf(before, at, hasMore);
    const hideItem = () => {
      show((shown) => shown.filter(({ id }) => id !== audioId));
      grow(audio, -1);
    };
    const showItem = () => {
      // Undo after a refusal: the audio is already back.
      if (now.current.items.some(({ id }) => id === audioId)) return;
      show((shown) => putBetween(shown, audio, place));
      grow(audio, 1);
    };
    hideItem();
    inTurn(() => answerOf(calls.audios[':audioId'].$delete({ param: { ...param, audioId } })), showItem);
    const [{ title }, { title: playlistTitle }] = [audio, playlist];
    showToast({
      text: t`Removed “${title}” from “${playlistTitle}”`,
      kind: `removed from ${playlist.id}`,
      several: (count) => t`Removed ${plural(count, { one: '# audio', other: '# audios' })} from “${playlistTitle}”`,
      action: {
        label: t`Undo`,
        onPress() {
          showItem();
          inTurn(async () => {
            const added = await answerOf(calls.audios.$post({ param, json: { audioIds: [audioId] } }));
            return added.ok ? answerOf(calls.move.$post({ param, json: { audioId, ...place } })) : added;
          }, hideItem);
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
