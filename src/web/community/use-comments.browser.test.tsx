import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answerCalls, refusal } from '#test/support/components/calls.ts';
import { listener, mountInSite } from '#test/support/components/mount.tsx';
import { clearLeftLists } from '../catalogue/lists/list-memory.ts';
import type { CommentView } from './threads.ts';
import { useComments } from './use-comments.ts';

const path = '/v1/api/audios/a1/comments';

function comment(id: string, text: string, parentId: string | null = null): CommentView {
  const user = { id: listener.id, username: 'nora', icon: null, color: '#8FC7B5' as const };
  const createdAt = '2026-11-01T10:00:00.000Z';
  return {
    id,
    audioId: 'a1',
    parentId,
    state: 'shown',
    text,
    user,
    isCreator: false,
    language: null,
    createdAt,
    totalReplies: 0,
  };
}

const first = {
  items: [{ ...comment('c1', 'One'), totalReplies: 1, replies: [comment('r1', 'Reply', 'c1')] }],
  nextCursor: undefined,
  totalComments: 2,
  commentsDisabled: false,
  commenters: 'everyone' as const,
  pausedUntil: null,
  order: 'newest' as const,
};

beforeEach(() => clearLeftLists());

function Thread() {
  const { threads, total, write, remove } = useComments('a1', first);
  const texts = threads.flatMap((thread) => [thread, ...thread.replies]).map(({ text, state }) => text ?? state);
  return (
    <>
      <p data-testid="thread">{`${total}: ${texts.join(', ')}`}</p>
      <button type="button" onClick={() => void write('Two', null)}>
        Write
      </button>
      <button type="button" onClick={() => void write('Reply', 'c1')}>
        Reply
      </button>
      <button type="button" onClick={() => void remove('r1')}>
        Delete the reply
      </button>
    </>
  );
}

const shows = (text: string) => expect.poll(() => page.getByTestId('thread').element().textContent).toBe(text);
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const open = () => mountInSite(<Thread />, { user: listener });

test('a comment is shown and counted at once, and stays when the site has it', async () => {
  const answer = Promise.withResolvers<object>();
  answerCalls({ [`POST ${path}`]: () => answer.promise });
  open();
  await press('Write');
  await shows('3: Two, One, Reply');
  answer.resolve(comment('c2', 'Two, as stored'));
  await shows('3: Two, as stored, One, Reply');
});

test('a text that the site takes for the same comment again is shown and counted once', async () => {
  const answer = Promise.withResolvers<object>();
  answerCalls({ [`POST ${path}`]: () => answer.promise });
  open();
  await press('Reply');
  await shows('3: One, Reply, Reply');
  answer.resolve(comment('r1', 'Reply', 'c1'));
  await shows('2: One, Reply');
});

test('a refused comment goes, with its count, and says why', async () => {
  const answer = Promise.withResolvers<Response>();
  answerCalls({ [`POST ${path}`]: () => answer.promise });
  open();
  await press('Write');
  await shows('3: Two, One, Reply');
  answer.resolve(refusal(429, 'request/too-many', 'Please wait.'));
  await shows('2: One, Reply');
  await expect.element(page.getByText('Please wait.').first()).toBeVisible();
});

test.each([
  ['that the site has', () => undefined, '1: One'],
  ['that was deleted before', () => refusal(404, 'request/not-found'), '1: One'],
  ['that stays', () => refusal(503, 'server/unavailable'), '2: One, Reply'],
])('a reply %s is counted as it is', async (_, answer, shown) => {
  const calls = answerCalls({ 'DELETE /v1/api/comments/r1': answer });
  open();
  await press('Delete the reply');
  await expect.poll(() => calls.length).toBe(1);
  await shows(shown);
});
