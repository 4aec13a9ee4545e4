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

  async function setHidden(id: string, isHidden: boolean): Promise<void> {
    const answer = await answerOf(api.studio.comments[':id'].hidden.$put({ param: { id }, json: { isHidden } }));
    await revalidate();
    showToast(
      answer.ok
        ? {
            text: isHidden ? t`Comment hidden` : t`Comment shown again`,
            kind: 'comment',
            action: { label: t`Undo`, onPress: () => void setHidden(id, !isHidden) },
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

  return {
    setHidden,
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

type Listed = { id: string; state: string; isHeld: boolean; isCreator: boolean };

/** Keyboard shortcuts of the list: J and K move through it, R replies to the focused comment, H hides or shows it. */
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
      if (key !== 'h' || item.isHeld || item.isCreator) return false;
      void acts.setHidden(item.id, item.state !== 'hidden');
      return true;
    },
  });
}
