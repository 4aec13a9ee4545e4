import { useLocation, useSearchParams } from 'react-router';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { mount } from '#test/support/components/mount.tsx';
import { SearchField } from './search-field.tsx';

function Page() {
  const [query] = useSearchParams();
  const { search } = useLocation();
  return (
    <>
      <SearchField label="Search audios" placeholder="Title" value={query.get('q') ?? ''} />
      <input aria-label="Another field" />
      <p data-testid="address">{search}</p>
    </>
  );
}

const field = () => page.getByRole('searchbox', { name: 'Search audios' });
const address = () => page.getByTestId('address');

test('the words that were typed reach the address once, trimmed, with the other filters but not the place in the list', async () => {
  const router = mount(<Page />, '/studio?state=draft&after=abc');
  const seen: string[] = [];
  router.subscribe(({ location }) => seen.push(location.search));
  await field().click();
  await userEvent.keyboard(' rain ');
  await expect.element(address()).toHaveTextContent('q=rain');
  expect(new URLSearchParams(router.state.location.search).get('state')).toBe('draft');
  expect(new URLSearchParams(router.state.location.search).has('after')).toBe(false);
  expect(new Set(seen).size).toBe(1);
  // Otherwise Back would go through each word.
  expect(router.state.historyAction).toBe('REPLACE');
});

test('Enter searches at once, and an empty field removes the words', async () => {
  const router = mount(<Page />, '/studio?q=rain');
  await field().fill('');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => router.state.location.search).toBe('');
});

test('“/” focuses the field, except while typing elsewhere', async () => {
  mount(<Page />, '/studio');
  const other = await page.getByRole('textbox', { name: 'Another field' }).findElement();
  other.focus();
  await userEvent.keyboard('/');
  await expect.element(page.getByRole('textbox', { name: 'Another field' })).toHaveValue('/');
  other.blur();
  await userEvent.keyboard('/');
  await expect.element(field()).toHaveFocus();
  await expect.element(field()).toHaveValue('');
});

test('an address that changes by itself changes the field, but not while someone types in it', async () => {
  const router = mount(<Page />, '/studio?q=rain');
  await expect.element(field()).toHaveValue('rain');
  await router.navigate('/studio?q=sea');
  await expect.element(field()).toHaveValue('sea');
  (await field().findElement()).focus();
  await router.navigate('/studio?q=wind');
  await expect.element(address()).toHaveTextContent('q=wind');
  await expect.element(field()).toHaveValue('sea');
});
