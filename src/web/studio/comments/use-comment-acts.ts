import { t } from '@lingui/core/macro';
import type { RefObject } from 'react';
import { useRevalidator } from 'react-router';
import { type Answer, answerOf, api } from '../../api.ts';
import { useToast } from '../../ui/layers/toast.tsx';
import { useListKeys } from '../../workshop/lists/row-keys.tsx';

type Author = { id: string; username: string };

/** `editedAt`: of the text that was read; undefined: any text. */
type Read = { id: string; editedAt?: string | null | undefined };

export type CommentActs = ReturnType<typeof useCommentActs>;

/** A creator's acts on comments. Each shows a toast, with Undo if it can be undone. */
export function useCommentActs(voice: { id: string; name: string }) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();

  /** Shows the changed list, and a toast. @param gone text for what is there no longer @param undo absent: it has none */
  async function tell(
    answer: Answer<unknown>,
    { text, kind = 'comment', gone, undo }: { text: string; kind?: string; gone: string; undo?: () => unknown },
  ): Promise<void> {
    await revalidate();
    if (!answer.ok) return showToast({ text: answer.code === 'request/not-found' ? gone : answer.message });
    const action = undo && { label: t`Undo`, onPress: () => void undo() };
    showToast({ text, kind, ...(action && { action }) });
  }

  /** @param options `waited` before; `waits`: is put back among those that wait */
  async function setHidden(comment: Read, isHidden: boolean, { waited = false, waits = false } = {}): Promise<void> {
    const json = { isHidden, waits, editedAt: comment.editedAt };
    const answer = await answerOf(api.studio.comments[':id'].hidden.$put({ param: { id: comment.id }, json }));
    const undo = () => (waited ? setHidden(comment, true, { waits: true }) : setHidden(comment, !isHidden));
    await tell(answer, {
      text: waits ? t`The comment waits again` : isHidden ? t`Comment hidden` : t`Comment shown again`,
      gone: t`This comment was deleted.`,
      ...(!waits && { undo }),
    });
  }

  async function setBlocked(author: Author, isBlocked: boolean): Promise<void> {
    const param = { id: voice.id, userId: author.id };
    const answer = await answerOf(api.studio.voices[':id'].blocked[':userId'].$put({ param, json: { isBlocked } }));
    await tell(answer, {
      text: isBlocked
        ? t`${{ name: author.username }} cannot comment here anymore`
        : t`You unblocked ${{ name: author.username }}`,
      kind: 'block',
      gone: t`This account was deleted.`,
      undo: () => setBlocked(author, !isBlocked),
    });
  }

  async function setPinned({ id, editedAt }: Read, isPinned: boolean): Promise<void> {
    const json = { isPinned, editedAt };
    const answer = await answerOf(api.studio.comments[':id'].pinned.$put({ param: { id }, json }));
    await tell(answer, {
      text: isPinned ? t`Pinned above the other comments` : t`No longer pinned`,
      gone: t`Listeners no longer see this comment.`,
      // The one before takes its place again.
      undo: () =>
        answer.ok && answer.data.replaced
          ? setPinned({ id: answer.data.replaced }, true)
          : setPinned({ id, editedAt }, !isPinned),
    });
  }

  async function setHearted({ id, editedAt }: Read, isHearted: boolean): Promise<void> {
    const json = { isHearted, editedAt };
    const answer = await answerOf(api.studio.comments[':id'].hearted.$put({ param: { id }, json }));
    await tell(answer, {
      text: isHearted ? t`The comment has your heart, and its writer is told` : t`Heart taken back`,
      gone: t`Listeners no longer see this comment.`,
      undo: () => setHearted({ id, editedAt }, !isHearted),
    });
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

type Listed = Read & { state: string; isHeld: boolean; isCreator: boolean; isForDesk: boolean };

/** It waits for its creator, and for nobody else. */
export function canShow({ state, isForDesk, isHeld }: Pick<Listed, 'state' | 'isForDesk' | 'isHeld'>): boolean {
  return state === 'waiting' && !isForDesk && !isHeld;
}

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
      if (key === 's' && canShow(item)) {
        void acts.setHidden(item, false, { waited: true });
        return true;
      }
      if (key !== 'h' || item.isHeld || item.isCreator) return false;
      void acts.setHidden(item, item.state !== 'hidden', { waited: item.state === 'waiting' });
      return true;
    },
  });
}
