import { useRevalidator } from 'react-router';
import { answerOf, api } from '../../api.ts';
import { useToast } from '../../ui/layers/toast.tsx';

type Author = { id: string; username: string };

export type CommentActs = {
  setHidden: (id: string, isHidden: boolean) => Promise<void>;
  block: (author: Author) => Promise<void>;
  unblock: (author: Author) => Promise<void>;
  /** @returns whether it was accepted */
  reply: (comment: { id: string; audio: { id: string } }, text: string) => Promise<boolean>;
  /** Reloads the list. */
  refresh: () => Promise<void>;
};

/** A creator's acts on comments. Each shows a toast, with Undo if it can be undone. */
export function useCommentActs(voice: { id: string; name: string }): CommentActs {
  const { revalidate } = useRevalidator();
  const showToast = useToast();

  async function setHidden(id: string, isHidden: boolean): Promise<void> {
    const answer = await answerOf(api.studio.comments[':id'].hidden.$put({ param: { id }, json: { isHidden } }));
    await revalidate();
    showToast(
      answer.ok
        ? {
            text: isHidden ? 'Comment hidden' : 'Comment shown again',
            kind: 'comment',
            action: { label: 'Undo', onPress: () => void setHidden(id, !isHidden) },
          }
        : { text: answer.code === 'request/not-found' ? 'This comment was deleted.' : answer.message },
    );
  }

  async function setBlocked(author: Author, isBlocked: boolean): Promise<void> {
    const param = { id: voice.id, userId: author.id };
    const answer = await answerOf(api.studio.voices[':id'].blocked[':userId'].$put({ param, json: { isBlocked } }));
    await revalidate();
    showToast(
      answer.ok
        ? {
            text: isBlocked ? `${author.username} cannot comment here anymore` : `You unblocked ${author.username}`,
            kind: 'block',
            action: { label: 'Undo', onPress: () => void setBlocked(author, !isBlocked) },
          }
        : { text: answer.code === 'request/not-found' ? 'This account was deleted.' : answer.message },
    );
  }

  return {
    setHidden,
    block: (author) => setBlocked(author, true),
    unblock: (author) => setBlocked(author, false),
    async reply({ id, audio }, text) {
      const json = { text, parentId: id };
      const answer = await answerOf(api.audios[':id'].comments.$post({ param: { id: audio.id }, json }));
      if (answer.ok) await revalidate();
      showToast({ text: answer.ok ? 'Reply published' : answer.message });
      return answer.ok;
    },
    refresh: () => revalidate(),
  };
}
