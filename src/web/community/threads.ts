import type { Comment } from '#domain/community/comments.ts';

/** Comment in the page’s data: times in ISO 8601. */
export type CommentView = Omit<Comment, 'createdAt'> & {
  createdAt: string;
  /** Optimistic: shown to its author, not confirmed yet. */
  isSending?: boolean;
  /** The address names it. */
  isLinked?: true;
};

export type ThreadView = CommentView & { replies: CommentView[] };

export function toView(comment: Comment): CommentView {
  return { ...comment, createdAt: comment.createdAt.toISOString() };
}

/** Marks the comment that the address names; its thread comes first if it is not among the others. */
export function withLinked(threads: ThreadView[], linked: ThreadView, commentId: string): ThreadView[] {
  const mark = <View extends CommentView>(view: View): View =>
    view.id === commentId ? { ...view, isLinked: true } : view;
  const marked = { ...mark(linked), replies: linked.replies.map(mark) };
  if (!threads.some(({ id }) => id === linked.id)) return [marked, ...threads];
  return threads.map((thread) => (thread.id === linked.id ? marked : thread));
}

export function withComment(threads: ThreadView[], comment: CommentView): ThreadView[] {
  const { parentId } = comment;
  if (parentId === null) {
    const pinned = threads.filter(({ isPinned }) => isPinned);
    return [...pinned, { ...comment, replies: [] }, ...threads.filter(({ isPinned }) => !isPinned)];
  }
  return inThread(threads, parentId, (thread) => ({
    ...thread,
    totalReplies: thread.totalReplies + 1,
    replies: [...thread.replies, comment],
  }));
}

/**
 * Replaces a comment, such as an optimistic one by the site’s. If the new one is already there, only removes the old
 * one.
 */
export function withReplaced(threads: ThreadView[], id: string, comment: CommentView): ThreadView[] {
  if (id !== comment.id && hasComment(threads, comment.id)) return without(threads, id);
  if (comment.parentId === null)
    return threads.map((thread) => (thread.id === id ? { ...comment, replies: thread.replies } : thread));
  return inThread(threads, comment.parentId, (thread) => ({
    ...thread,
    replies: thread.replies.map((reply) => (reply.id === id ? comment : reply)),
  }));
}

/** Removes a comment. One with replies stays as a placeholder until the last of them is removed. */
export function without(threads: ThreadView[], id: string): ThreadView[] {
  return threads.flatMap((thread) => {
    if (thread.id === id) {
      if (thread.totalReplies === 0) return [];
      return [{ ...thread, state: 'deleted' as const, text: null, user: null, isCreator: false }];
    }
    if (!thread.replies.some((reply) => reply.id === id)) return [thread];
    const totalReplies = thread.totalReplies - 1;
    if (totalReplies === 0 && thread.state !== 'shown') return [];
    return [{ ...thread, totalReplies, replies: thread.replies.filter((reply) => reply.id !== id) }];
  });
}

/** Adds loaded replies, oldest first, and keeps those already there. */
export function withReplies(threads: ThreadView[], parentId: string, fetched: CommentView[]): ThreadView[] {
  return inThread(threads, parentId, (thread) => {
    const ids = new Set(thread.replies.map(({ id }) => id));
    const replies = [...thread.replies, ...fetched.filter(({ id }) => !ids.has(id))];
    replies.sort((a, b) => Number(a.isSending ?? false) - Number(b.isSending ?? false) || compare(a, b));
    return { ...thread, replies, totalReplies: Math.max(thread.totalReplies, replies.length) };
  });
}

export function hasComment(threads: ThreadView[], id: string): boolean {
  return threads.some((thread) => thread.id === id || thread.replies.some((reply) => reply.id === id));
}

function inThread(threads: ThreadView[], id: string, edit: (thread: ThreadView) => ThreadView): ThreadView[] {
  return threads.map((thread) => (thread.id === id ? edit(thread) : thread));
}

/** Ids sort by time. */
function compare(a: CommentView, b: CommentView): number {
  return a.id < b.id ? -1 : 1;
}
