import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createRoutesStub } from 'react-router';
import { expect, test } from 'vitest';
import type { LogEntry } from '#domain/admin/site/log.ts';
import { LogEntries } from './log-entries.tsx';

const at = new Date('2026-11-28T12:00:00Z');
const ada = { id: 'ada', username: 'ada.t', icon: null, color: '#E3CB7F' } as const;

function sentenceOf(action: string, subject: { id: string; name: string }): string {
  const entry: LogEntry = {
    id: 'one',
    at,
    by: ada,
    role: 'admin',
    name: 'ada.t',
    address: null,
    action,
    subject: { type: 'user', ...subject },
    voice: null,
    before: null,
    after: null,
  };
  const Page = createRoutesStub([
    { path: '/', Component: () => createElement(LogEntries, { entries: [entry], now: at }) },
  ]);
  const html = renderToStaticMarkup(createElement(Page));
  return (/<span>(<b>.*?)<\/span>/.exec(html)?.[1] ?? '').replaceAll(/<[^>]+>/g, '');
}

test.each([
  ['user.use-recovery-code', 'ada.t logged in with a recovery code'],
  ['user.remove-app', 'ada.t removed their authenticator app'],
  ['user.fail-second-factor', 'ada.t failed to confirm their second factor'],
  ['user.pass-second-factor', 'ada.t confirmed their second factor after several failed tries'],
  ['user.lock-second-factor', 'ada.t was locked out for a while after too many failed tries at the second factor'],
  ['user.make-admin', 'ada.t made themselves admin'],
])('%s about oneself reads as a sentence', (action, sentence) => {
  expect(sentenceOf(action, { id: 'ada', name: 'ada.t' })).toBe(sentence);
});

test('an entry about somebody else names them', () => {
  expect(sentenceOf('user.reset-second-factor', { id: 'tom', name: 'tom.r' })).toBe(
    'ada.t reset the second factor of tom.r',
  );
});
