import { expect, test } from 'vitest';
import { commentDraft, withRefused } from './comment-drafts.ts';

test('a draft is found again by its author, and dropped for another user', () => {
  commentDraft('ada', 'audio').set('Half a thought');
  commentDraft('ada', 'comment').set('A reply');
  expect([commentDraft('ada', 'audio').get(), commentDraft('ada', 'comment').get()]).toEqual([
    'Half a thought',
    'A reply',
  ]);
  expect(commentDraft('bo', 'audio').get()).toBe('');
  expect(commentDraft('ada', 'audio').get()).toBe('');
});

test('an answer that comes after another user logged in changes nothing of theirs', () => {
  const hers = commentDraft('ada', 'audio');
  commentDraft('bo', 'audio').set('His own');
  hers.set('Hers, which was refused');
  expect(commentDraft('bo', 'audio').get()).toBe('His own');
});

test('a refused text comes before what was typed since, and not twice', () => {
  expect(withRefused('Sent', '')).toBe('Sent');
  expect(withRefused('Sent', 'Sent')).toBe('Sent');
  expect(withRefused('Sent', 'Typed since')).toBe('Sent\n\nTyped since');
});
