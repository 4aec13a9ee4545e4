import { t } from '@lingui/core/macro';
import { useEffect, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { CommentOrder, Commenters } from '#domain/catalogue/rules.ts';
import type { Page } from '#domain/kernel/pages.ts';
import { usePages } from '#web/catalogue/lists/use-pages.ts';
import { answerOf, api } from '../api.ts';
import { useSession } from '../identity/session-provider.tsx';
import { useToast } from '../ui/layers/toast.tsx';
import {
  type CommentView,
  type ThreadView,
  hasComment,
  withComment,
  without,
  withReplaced,
  withReplies,
} from './threads.ts';

export type FirstComments = Page<ThreadView> & {
  totalComments: number;
  commentsDisabled: boolean;
  commenters: Commenters;
  pausedUntil: Date | null;
  order: CommentOrder;
};

const replyPage = 100;

/** Comments on an audio, plus those written and deleted on this page. @param first comments in the page’s data */
export function useComments(audioId: string, first: FirstComments) {
  const { revalidate } = useRevalidator();
  const { user } = useSession();
  const showToast = useToast();
  const {
    items: all,
    change,
    ...pages
  } = usePages<ThreadView>(first, {
    path: `/v1/api/audios/${audioId}/comments`,
    under: 'items',
  });
  // A further page may bring the linked thread, which is shown first, again.
  const items = uniqueById(all);
  const [more, setMore] = useState({ of: first, comments: 0 });
  if (more.of !== first) setMore({ of: first, comments: 0 });
  const written = useRef(0);
  const now = useRef(items);
  useEffect(() => {
    now.current = items;
  });

  function count(by: number): void {
    setMore((before) => ({ ...before, comments: before.comments + by }));
  }

  /** Shown at once, removed if the site refuses it: with a notice, unless the session has ended. */
  async function write(text: string, parentId: string | null): Promise<'sent' | 'refused' | 'logged-out'> {
    written.current += 1;
    const sent: CommentView = {
      id: `sending-${written.current}`,
      audioId,
      parentId,
      state: 'shown',
      text,
      user: user && { id: user.id, username: user.username ?? '', icon: user.icon, color: user.color },
      isCreator: false,
      language: null,
      createdAt: new Date().toISOString(),
      totalReplies: 0,
      isSending: true,
    };
    change((threads) => withComment(threads, sent));
    count(1);
    const answer = await answerOf(
      api.audios[':id'].comments.$post({
        param: { id: audioId },
        json: { text, ...(parentId !== null && { parentId }) },
      }),
    );
    if (answer.ok) {
      // The site answers a repeated text with the existing comment, so it is counted once.
      if (hasComment(now.current, answer.data.id)) count(-1);
      change((threads) => withReplaced(threads, sent.id, answer.data));
      return 'sent';
    }
    change((threads) => without(threads, sent.id));
    count(-1);
    if (answer.code === 'auth/login-required') return 'logged-out';
    const isGone = answer.code === 'request/not-found';
    // The text stays in the reply field.
    if (isGone && parentId !== null) {
      showToast({ text: t`The comment you replied to was deleted.` });
      return 'refused';
    }
    showToast({ text: answer.message });
    // The creator changed who may comment, or the audio was deleted: the reloaded page shows that.
    if (
      answer.code === 'comments/disabled' ||
      answer.code === 'comments/subscribers-only' ||
      answer.code === 'comments/paused' ||
      isGone
    )
      await revalidate();
    return 'refused';
  }

  /** @returns the error message, if refused */
  async function edit(id: string, text: string): Promise<string | undefined> {
    const answer = await answerOf(api.comments[':id'].$patch({ param: { id }, json: { text } }));
    if (!answer.ok) return answer.message;
    change((threads) => withReplaced(threads, id, answer.data));
    return undefined;
  }

  /** @returns the error message, if refused */
  async function remove(id: string): Promise<string | undefined> {
    const answer = await answerOf(api.comments[':id'].$delete({ param: { id } }));
    // Already deleted in another tab.
    if (!answer.ok && answer.code !== 'request/not-found') return answer.message;
    change((threads) => without(threads, id));
    count(-1);
    return undefined;
  }

  /** @returns the next cursor; undefined at the end, and when the call failed */
  async function loadReplies(parentId: string, cursor: string | undefined): Promise<string | undefined> {
    const query = { limit: String(replyPage), ...(cursor !== undefined && { cursor }) };
    const answer = await answerOf(api.comments[':id'].replies.$get({ param: { id: parentId }, query }));
    if (!answer.ok) {
      showToast({ text: answer.message });
      return cursor;
    }
    change((threads) => withReplies(threads, parentId, answer.data.items));
    return answer.data.nextCursor ?? undefined;
  }

  return { threads: items, total: first.totalComments + more.comments, pages, write, edit, remove, loadReplies };
}

function uniqueById(threads: ThreadView[]): ThreadView[] {
  const seen = new Set<string>();
  return threads.filter(({ id }) => !seen.has(id) && seen.add(id));
}
