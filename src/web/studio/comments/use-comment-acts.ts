import { t } from '@lingui/core/macro';
import type { RefObject } from 'react';
import { useRevalidator } from 'react-router';
import { answerOf, api } from '../../api.ts';
import { useToast } from '../../ui/layers/toast.tsx';
import { useListKeys } from '../../workshop/lists/row-keys.tsx';

type Author = { id: string; username: string };

export type CommentActs = ReturnType<typeof useCommentActs>;

/** A creator's acts on comments. Each shows a toast, with Undo if it can be undone. */
export function useCommentActs(voice: { id: string; name: string }) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();

  /** @param options `waited` before; `waits`: is put back among those that wait */
  async function setHidden(id: string, isHidden: boolean, { waited = false, waits = false } = {}): Promise<void> {
    const json = { isHidden, waits };
    const answer = await answerOf(api.studio.comments[':id'].hidden.$put({ param: { id }, json }));
    await revalidate();
    showToast(
      answer.ok
        ? {
            text: waits ? t`The comment waits again` : isHidden ? t`Comment hidden` : t`Comment shown again`,
            kind: 'comment',
            ...(!waits && {
              action: {
                label: t`Undo`,
                onPress: () => void (waited ? setHidden(id, true, { waits: true }) : setHidden(id, !isHidden)),
              },
            }),
          }
        : { text: answer.code === 'request/not-found' ? t`This comment was deleted.` : answer.message },
    );
  }

  async function setBlocked(author: Author, isBlocked: boolean): Promise<void> {
    const param = { id: voice.id, userId: author.id };
    const answer = await answerOf(api.studio.voices[':id'].blocked[':userId'].$put({ param, json: { isBlocked } }));
    await revalidate();
    showToast(
      answer.ok
        ? {
            text: isBlocked
              ? t`${{ name: author.username }} cannot comment here anymore`
              : t`You unblocked ${{ name: author.username }}`,
            kind: 'block',
            action: { label: t`Undo`, onPress: () => void setBlocked(author, !isBlocked) },
          }
        : { text: answer.code === 'request/not-found' ? t`This account was deleted.` : answer.message },
    );
  }

  async function setPinned(id: string, isPinned: boolean): Promise<void> {
    const answer = await answerOf(api.studio.comments[':id'].pinned.$put({ param: { id }, json: { isPinned } }));
    await revalidate();
    // The one before takes its place again.
    const undo = () =>
      answer.ok && answer.data.replaced ? setPinned(answer.data.replaced, true) : setPinned(id, !isPinned);
    showToast(
      answer.ok
        ? {
            text: isPinned ? t`Pinned above the other comments` : t`No longer pinned`,
            kind: 'comment',
            action: { label: t`Undo`, onPress: () => void undo() },
          }
        : { text: answer.code === 'request/not-found' ? t`Listeners no longer see this comment.` : answer.message },
    );
  }

  async function setHearted(id: string, isHearted: boolean): Promise<void> {
    const answer = await answerOf(api.studio.comments[':id'].hearted.$put({ param: { id }, json: { isHearted } }));
    await revalidate();
    showToast(
      answer.ok
        ? {
            text: isHearted ? t`The comment has your heart, and its writer is told` : t`Heart taken back`,
            kind: 'comment',
            action: { label: t`Undo`, onPress: () => void setHearted(id, !isHearted) },
          }
        : { text: answer.code === 'request/not-found' ? t`Listeners no longer see this comment.` : answer.message },
    );
  }

  return {
    setHidden,
    setPinned,
    setHearted,
    setBlocked,
    /** @returns whether it was accepted */
    async reply({ id, audio }: { id: string; audio: { id: string } }, text: string): Promise<boolean> {
      const json = { text, parentId: id };
      const answer = await answerOf(api.audios[':id'].comments.$post({ param: { id: audio.id }, json }));
      if (answer.ok) await revalidate();
      showToast({ text: answer.ok ? t`Reply published` : answer.message });
      return answer.ok;
    },
    /** Reloads the list. */
    refresh: revalidate,
  };
}

type Listed = { id: string; state: string; isHeld: boolean; isCreator: boolean; isForDesk: boolean };

/**
 * Keyboard shortcuts of the list: J and K move through it, R replies to the focused comment, S shows one that waits, H
 * hides it or shows it again.
 */
export function useCommentKeys(acts: CommentActs, items: readonly Listed[]): RefObject<HTMLDivElement | null> {
  return useListKeys<HTMLDivElement>({
    rows: '[data-thread]',
    press(key, row, index) {
      const item = items[index];
      if (item === undefined) return false;
      if (key === 'r') {
        row.querySelector<HTMLElement>('[data-reply]')?.click();
        return true;
      }
      if (key === 's' && item.state === 'waiting' && !item.isForDesk && !item.isHeld) {
        void acts.setHidden(item.id, false, { waited: true });
        return true;
      }
      if (key !== 'h' || item.isHeld || item.isCreator) return false;
      void acts.setHidden(item.id, item.state !== 'hidden', { waited: item.state === 'waiting' });
      return true;
    },
  });
}
