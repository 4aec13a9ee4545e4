import { useLocation } from 'react-router';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { mount } from '#test/support/components/mount.tsx';
import { TabLinks } from './tab-links.tsx';

const names = ['Audios', 'Series', 'Playlists', 'About', 'Comments', 'Transcript'];

function Page() {
  const { search } = useLocation();
  const tabs = names.map((label) => ({
    label,
    count: label === 'Audios' ? 1234 : undefined,
    to: `?tab=${label}`,
    isCurrent: search === `?tab=${label}`,
  }));
  return (
    <div style={{ width: 240 }}>
      <TabLinks label="Creator" tabs={tabs} />
    </div>
  );
}

const current = () => document.querySelector('[aria-current=page]');

test('a press opens the part by its address, and marks it alone', async () => {
  const router = mount(<Page />, '/?tab=Audios');
  await expect.element(page.getByRole('link', { name: 'Audios' })).toHaveTextContent(/^Audios1\.2K$|^Audios1,234$/);
  await page.getByRole('link', { name: 'Series' }).click();
  await expect.poll(() => current()?.textContent).toBe('Series');
  expect(router.state.location.search).toBe('?tab=Series');
  expect(document.querySelectorAll('[aria-current]')).toHaveLength(1);
});

test('the current tab is scrolled into the strip', async () => {
  mount(<Page />, '/?tab=Transcript');
  await page.getByRole('link', { name: 'Transcript' }).findElement();
  const strip = page.getByRole('navigation', { name: 'Creator' }).element().getBoundingClientRect();
  await expect.poll(() => (current()?.getBoundingClientRect().right ?? 0) <= strip.right + 12).toBe(true);
  expect(current()?.getBoundingClientRect().left).toBeGreaterThanOrEqual(strip.left - 12);
});
