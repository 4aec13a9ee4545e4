import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { searchGroups } from '#domain/search/forms.ts';
import { type ReceivedCall, answerCalls, refusal } from '#test/support/components/calls.ts';
import { dataFor, keepToken, listener, mountInSite } from '#test/support/components/mount.tsx';
import { useSession } from '../identity/session-provider.tsx';
import { SearchForm } from './search-form.tsx';

let calls: ReceivedCall[];
let recent: string[];
const asked = () => calls.filter(({ path }) => path.endsWith('/search')).map(({ query }) => query.get('query'));

beforeEach(() => {
  recent = [];
  calls = answerCalls({
    'GET /v1/api/search': ({ query }) =>
      query.get('query') === 'broken'
        ? refusal(503, 'search/unavailable')
        : answerWith(query.get('query') === 'none' ? [] : ['Rain', 'Rivers']),
    'GET /v1/api/user/recent-searches': () => ({ items: recent }),
    'POST /v1/api/user/recent-searches': () => undefined,
    'DELETE /v1/api/user/recent-searches': () => undefined,
  });
});

function answerWith(labels: string[]) {
  const hits = labels.map((label) => ({
    id: label,
    slug: label.toLowerCase(),
    label,
    imageUrl: null,
    highlights: { label: [[0, 2]] },
  }));
  const groups = searchGroups.map((index) => [
    index,
    { index, hits: index === 'categories' ? hits : [], total: 0, page: 0, hasExactName: false },
  ]);
  return Object.fromEntries(groups);
}

function Name() {
  return <p data-user>{useSession().user?.username}</p>;
}

const field = () => page.getByRole('combobox', { name: 'Search' });
const options = () => [...document.querySelectorAll('[role=option]')].map((option) => option.textContent);
const spoken = () => document.querySelector('search output');
const chosen = () => document.querySelector('[role=option][aria-selected=true]')?.textContent;
const expanded = () => field().element().getAttribute('aria-expanded');

test('suggestions appear once typing pauses, and their number is for screen readers only', async () => {
  mountInSite(<SearchForm place="bar" />, { user: listener });
  await field().click();
  await userEvent.keyboard('ri');
  await expect.poll(options).toEqual(['Rain', 'Rivers', 'Search for ri']);
  expect(asked()).toEqual(['ri']);
  await expect.poll(() => spoken()?.textContent).toBe('2 suggestions');
  const box = spoken()?.getBoundingClientRect();
  expect([box?.width, box?.height]).toEqual([1, 1]);
  expect(expanded()).toBe('true');
});

test('of series and listeners, only one with exactly this name is suggested', async () => {
  const highlights = { title: [], username: [] };
  const series = { id: 's', slug: 'tides', title: 'Tides', imageUrl: null, voice: null, highlights };
  const users = ['tides', 'tides-2'].map((username) => ({
    id: username,
    username,
    icon: null,
    color: '#fff',
    highlights,
  }));
  const answered = (hasExactName: boolean) => ({
    ...answerWith([]),
    series: { index: 'series', hits: [series], total: 1, page: 0, hasExactName },
    users: { index: 'users', hits: users, total: 2, page: 0, hasExactName },
  });
  answerCalls({ 'GET /v1/api/search': ({ query }) => answered(query.get('query') === 'tides') });
  mountInSite(<SearchForm place="bar" />);
  await field().click();
  await userEvent.keyboard('tide');
  await expect.poll(options).toEqual(['Search for tide']);
  await userEvent.keyboard('s');
  await expect.poll(options).toEqual(['Tides', 'Ttides', 'Search for tides']);
});

test('arrows go over the options and back to the field, and Enter opens the chosen one', async () => {
  const router = mountInSite(<SearchForm place="bar" />, { user: listener });
  await field().click();
  await userEvent.keyboard('ri');
  await expect.poll(options).toHaveLength(3);
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  await expect.poll(chosen).toBe('Rivers');
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  await expect.poll(chosen).toBeUndefined();
  await userEvent.keyboard('{ArrowUp}{ArrowUp}{Enter}');
  await expect.poll(() => router.state.location.pathname).toBe('/categories/rivers');
  await expect.poll(options).toEqual([]);
  await expect.element(field()).toHaveValue('');
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ term: 'ri' });
});

test('Enter without a chosen option searches for the typed text, and never for none', async () => {
  const router = mountInSite(<SearchForm place="bar" />, { user: listener });
  await field().click();
  await userEvent.keyboard('  {Enter}');
  await userEvent.keyboard('deep  sea{Enter}');
  await expect.poll(() => router.state.location.pathname).toBe('/search');
  expect(new URLSearchParams(router.state.location.search).get('search')?.trim()).toBe('deep  sea');
  expect(calls.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([{ term: 'deep sea' }]);
});

test('Escape closes the list first, then empties the field', async () => {
  mountInSite(<SearchForm place="bar" />, { user: listener });
  await field().click();
  await userEvent.keyboard('ri');
  await expect.poll(options).toHaveLength(3);
  await userEvent.keyboard('{Escape}');
  await expect.poll(options).toEqual([]);
  await expect.element(field()).toHaveValue('ri');
  await userEvent.keyboard('{Escape}');
  await expect.element(field()).toHaveValue('');
});

test('the list closes when the focus leaves the form', async () => {
  mountInSite(
    <>
      <SearchForm place="bar" />
      <button type="button" style={{ position: 'fixed', right: 0, bottom: 0 }}>
        Elsewhere
      </button>
    </>,
    { user: listener },
  );
  await field().click();
  await userEvent.keyboard('ri');
  await expect.poll(options).toHaveLength(3);
  await page.getByRole('button', { name: 'Elsewhere' }).click();
  await expect.poll(options).toEqual([]);
});

test('a search without hits and one that fails say so, and still lead to the page of all results', async () => {
  mountInSite(<SearchForm place="bar" />, { user: listener });
  await field().click();
  await userEvent.keyboard('none');
  await expect.poll(() => spoken()?.textContent).toBe('No suggestions');
  expect(options()).toEqual(['Search for none']);
  await field().fill('broken');
  await expect.poll(() => spoken()?.textContent).toMatch(/^Search is not available/);
  expect(options()).toEqual(['Search for broken']);
});

test('recent terms are offered in the empty field, and Delete removes one', async () => {
  recent = ['sea', 'wind'];
  mountInSite(<SearchForm place="bar" />, { user: listener });
  await field().click();
  await expect.poll(options).toEqual(['sea', 'wind']);
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{Delete}');
  await expect.poll(options).toEqual(['sea']);
  expect(calls.find(({ method }) => method === 'DELETE')?.body).toEqual({ term: 'wind' });
});

test('a page that is opened meanwhile empties the field', async () => {
  const router = mountInSite(<SearchForm place="bar" />, { user: listener });
  await field().click();
  await userEvent.keyboard('ri');
  await expect.poll(options).toHaveLength(3);
  await router.navigate('/audios');
  await expect.element(field()).toHaveValue('');
  expect(options()).toEqual([]);
});

test('the terms of the former user are shown to no other one of the tab, not even until theirs are here', async () => {
  let user = listener;
  recent = ['of nora'];
  mountInSite(
    <>
      <SearchForm place="bar" />
      <Name />
    </>,
    { user, load: () => dataFor(user) },
  );
  await field().click();
  await expect.poll(options).toEqual(['of nora']);
  await userEvent.keyboard('{Escape}');
  (document.activeElement as HTMLElement).blur();
  const theirs = Promise.withResolvers<{ items: string[] }>();
  let loads = 0;
  answerCalls({
    'GET /v1/api/user/recent-searches': () => {
      loads += 1;
      return theirs.promise;
    },
  });
  user = { ...listener, id: 'u2', username: 'mira' };
  keepToken(user.id);
  window.dispatchEvent(new StorageEvent('storage', { key: 'sotto.session' }));
  await expect.poll(() => document.querySelector('[data-user]')?.textContent).toBe('mira');
  await field().click();
  await expect.poll(() => loads).toBeGreaterThan(0);
  expect(options()).toEqual([]);
  theirs.resolve({ items: ['of mira'] });
  await expect.poll(options).toEqual(['of mira']);
});
