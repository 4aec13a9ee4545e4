import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Page } from '#domain/kernel/pages.ts';
import { answerCalls, refusal } from '#test/support/components/calls.ts';
import { mountInSite } from '#test/support/components/mount.tsx';
import { clearLeftLists } from './list-memory.ts';
import { usePages } from './use-pages.ts';

type Item = { id: string };

beforeEach(() => clearLeftLists());

const pageOf = (ids: string, nextCursor: string | undefined): Page<Item> => ({
  items: [...ids].map((id) => ({ id })),
  nextCursor,
});
const firstPages = { one: pageOf('ab', 'after-b'), other: pageOf('xy', undefined) };

/** As the API sends a page. */
const answerOf = (ids: string, nextCursor: string | null = null) => ({ ...pageOf(ids, undefined), nextCursor });

function Lists() {
  const [name, setName] = useState<'one' | 'other'>('one');
  const source = { path: `/v1/api/${name}`, under: 'items' };
  const { items, nextCursor, state, loadMore, change, reload } = usePages<Item>(firstPages[name], source);
  return (
    <>
      <p data-testid="list">{`${items.map(({ id }) => id).join('')} ${state}${nextCursor === undefined ? ', whole' : ''}`}</p>
      <button type="button" onClick={() => void loadMore()}>
        More
      </button>
      <button type="button" onClick={() => setName('other')}>
        Other list
      </button>
      <button type="button" onClick={() => change((all) => [{ id: '+' }, ...all])}>
        Write
      </button>
      <button type="button" onClick={reload}>
        Reload
      </button>
    </>
  );
}

const shows = (text: string) => expect.poll(() => page.getByTestId('list').element().textContent).toBe(text);
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

test('further pages follow, and an item that one of them has again is shown once', async () => {
  const pages = [answerOf('bcd', 'after-d'), answerOf('ae')];
  const calls = answerCalls({ 'GET /v1/api/one': () => pages.shift() });
  mountInSite(<Lists />);
  await shows('ab idle');
  await press('More');
  await shows('abcd idle');
  await press('More');
  await shows('abcde idle, whole');
  await press('More');
  await shows('abcde idle, whole');
  expect(calls.map(({ query }) => query.get('cursor'))).toEqual(['after-b', 'after-d']);
});

test('a page that cannot be loaded leaves the list, and can be asked for again', async () => {
  const pages = [refusal(503, 'server/unavailable'), answerOf('c')];
  answerCalls({ 'GET /v1/api/one': () => pages.shift() });
  mountInSite(<Lists />);
  await press('More');
  await shows('ab failed');
  await press('More');
  await shows('abc idle, whole');
});

test('one page is asked for at a time, and none for a list that was left', async () => {
  const late = Promise.withResolvers<object>();
  const calls = answerCalls({ 'GET /v1/api/one': () => late.promise });
  mountInSite(<Lists />);
  await press('More');
  await shows('ab loading');
  await press('More');
  await press('Other list');
  await shows('xy idle, whole');
  late.resolve(answerOf('c'));
  await press('Write');
  await shows('+xy idle, whole');
  expect(calls).toHaveLength(1);
});

test('what is written while all pages are loaded again stays', async () => {
  const pages: unknown[] = [answerOf('cd')];
  answerCalls({ 'GET /v1/api/one': () => pages.shift() });
  mountInSite(<Lists />);
  await press('More');
  await shows('abcd idle, whole');
  const again = Promise.withResolvers<object>();
  pages.push(again.promise);
  await press('Reload');
  await press('Write');
  await shows('+abcd idle, whole');
  again.resolve(answerOf('ce'));
  await shows('+abce idle, whole');
});
