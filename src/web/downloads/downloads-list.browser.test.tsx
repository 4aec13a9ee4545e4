import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answerCalls } from '#test/support/components/calls.ts';
import { listener, mountInSite } from '#test/support/components/mount.tsx';
import { DownloadsList } from './downloads-list.tsx';

test('a page that could not be loaded is offered again, an address of another site is not', async () => {
  answerCalls({ 'GET /v1/api/user/offline-devices': () => ({ items: [] }) });
  const router = mountInSite(<DownloadsList />, { user: listener });
  await expect.element(page.getByText('No downloads yet')).toBeVisible();
  const again = () => page.getByRole('link', { name: 'Try the page again' });
  const open = (wanted: string) => router.navigate(`/?${new URLSearchParams({ wanted })}`);
  for (const wanted of ['//evil.example/x', '/\\evil.example', 'https://evil.example/', 'javascript:alert(1)', '']) {
    await open('/blog?page=2#top');
    await expect.element(again()).toHaveAttribute('href', '/blog?page=2#top');
    await open(wanted);
    await expect.poll(() => again().query(), { message: wanted }).toBeNull();
  }
});
