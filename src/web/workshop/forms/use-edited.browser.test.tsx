import { useEffect, useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { type ReceivedCall, answerCalls } from '#test/support/components/calls.ts';
import { mount } from '#test/support/components/mount.tsx';
import { EditedBar } from './edited-bar.tsx';
import { useEdited } from './use-edited.ts';

type Texts = { title: string; text: string };

let calls: ReceivedCall[];
beforeEach(() => {
  calls = answerCalls({
    'GET /v1/api/studio/last-change': () => ({ by: 'petra', at: '2026-11-23T21:02:00.000Z' }),
  });
});

/** As when the page's data is loaded again. */
const reload = (detail: Texts) => window.dispatchEvent(new CustomEvent('reload', { detail }));

function Form({ name }: { name: string }) {
  const [saved, setSaved] = useState<Texts>({ title: 'Old', text: 'Old' });
  useEffect(() => {
    const load = ({ detail }: CustomEvent<Texts>) => setSaved(detail);
    window.addEventListener('reload', load as EventListener);
    return () => window.removeEventListener('reload', load as EventListener);
  }, []);
  const edited = useEdited({
    key: `form of ${name}`,
    subject: { type: 'series', id: name },
    saved,
    send: async () => ({ ok: true, data: undefined }),
  });
  return (
    <>
      <input
        aria-label="Title"
        value={edited.values.title}
        onChange={({ target }) => edited.change({ title: target.value })}
      />
      <EditedBar edited={edited} />
    </>
  );
}

test('a change that a reload brings names who made it and when, with both versions', async () => {
  mount(<Form name="one" />);
  await page.getByLabelText('Title').fill('Mine');
  reload({ title: 'Theirs', text: 'Old' });
  const notice = page.getByRole('alert');
  await expect.element(notice.getByText(/^petra changed this meanwhile, 2\d Nov 2026, /)).toBeVisible();
  await expect.element(notice.getByText('Yours: Mine')).toBeVisible();
  await expect.element(notice.getByText('Theirs: Theirs')).toBeVisible();
  expect(calls.map(({ query }) => Object.fromEntries(query))).toEqual([{ type: 'series', id: 'one' }]);
});

test('a reload that changes other fields is no conflict, and asks nothing', async () => {
  mount(<Form name="two" />);
  await page.getByLabelText('Title').fill('Mine');
  reload({ title: 'Old', text: 'Theirs' });
  await expect.element(page.getByText('Changes are not saved')).toBeVisible();
  expect(page.getByRole('alert').query()).toBeNull();
  expect(calls).toEqual([]);
});
