import { describe, expect, test } from 'vitest';
import {
  type CommentView,
  type ThreadView,
  withComment,
  withLinked,
  without,
  withReplaced,
  withReplies,
} from './threads.ts';

function comment(id: string, parentId: string | null = null): CommentView {
  return {
    id,
    audioId: 'audio',
    parentId,
    state: 'shown',
    text: `text of ${id}`,
    user: { id: 'ada', username: 'ada', icon: null, color: '#F29AB0' },
    isCreator: false,
    language: null,
    createdAt: '2026-11-21T00:00:00.000Z',
    totalReplies: 0,
  };
}

function thread(id: string, replies: string[] = [], totalReplies = replies.length): ThreadView {
  return { ...comment(id), replies: replies.map((reply) => comment(reply, id)), totalReplies };
}

const shape = (threads: ThreadView[]) =>
  threads.map(({ id, replies, totalReplies, state }) =>
    [id, ...replies.map((reply) => reply.id), totalReplies, state === 'shown' ? '' : state]
      .filter((part) => part !== '')
      .join(' '),
  );

describe('a new comment', () => {
  test('goes below the pinned one', () => {
    expect(shape(withComment([{ ...thread('p'), isPinned: true }, thread('a')], comment('b')))).toEqual([
      'p 0',
      'b 0',
      'a 0',
    ]);
  });

  test('goes to the top, or to the end of the replies', () => {
    expect(shape(withComment([thread('a')], comment('b')))).toEqual(['b 0', 'a 0']);
    expect(shape(withComment([thread('a', ['r1'])], comment('r2', 'a')))).toEqual(['a r1 r2 2']);
  });

  test('becomes the site’s version, and keeps replies added meanwhile', () => {
    const sent = withComment([], { ...comment('pending'), isSending: true });
    expect(withReplaced(sent, 'pending', comment('a'))).toEqual([thread('a')]);
    expect(shape(withReplaced([thread('a', ['pending'])], 'pending', comment('r1', 'a')))).toEqual(['a r1 1']);
    expect(shape(withReplaced([thread('a', ['r1'])], 'a', comment('a')))).toEqual(['a r1 0']);
  });

  test('is not duplicated when the site’s version is already there', () => {
    const twice = withComment([thread('a')], comment('pending'));
    expect(shape(withReplaced(twice, 'pending', comment('a')))).toEqual(['a 0']);
  });
});

describe('a deleted comment', () => {
  test('disappears, or stays as a placeholder until its last reply is deleted', () => {
    expect(shape(without([thread('a'), thread('b')], 'a'))).toEqual(['b 0']);
    const held = without([thread('a', ['r1', 'r2'])], 'a');
    expect(held[0]).toMatchObject({ state: 'deleted', text: null, user: null });
    const less = without(held, 'r1');
    expect(shape(less)).toEqual(['a r2 1 deleted']);
    expect(without(less, 'r2')).toEqual([]);
  });

  test('leaves all other comments in place', () => {
    expect(shape(without([thread('a', ['r1', 'r2'])], 'r1'))).toEqual(['a r2 1']);
    expect(shape(without([thread('a', ['r1'], 9)], 'gone'))).toEqual(['a r1 9']);
  });
});

test('the thread of a linked comment replaces the loaded one, or comes first', () => {
  const linked = thread('b', ['b1', 'b9'], 5);
  expect(shape(withLinked([thread('a'), thread('b', ['b1'], 5)], linked, 'b9'))).toEqual(['a 0', 'b b1 b9 5']);
  const threads = withLinked([thread('a')], linked, 'b9');
  expect(shape(threads)).toEqual(['b b1 b9 5', 'a 0']);
  expect(threads[0]?.isLinked).toBeUndefined();
  expect(threads[0]?.replies.map(({ isLinked }) => isLinked)).toEqual([undefined, true]);
  expect(withLinked([thread('b')], linked, 'b')[0]?.isLinked).toBe(true);
});

test('loaded replies are in order, without duplicates', () => {
  const threads = withComment([thread('a', ['r1'], 3)], { ...comment('pending', 'a'), isSending: true });
  const grown = withReplies(threads, 'a', [comment('r1', 'a'), comment('r2', 'a'), comment('r3', 'a')]);
  expect(shape(grown)).toEqual(['a r1 r2 r3 pending 4']);
});
