import { useEffect, useState } from 'react';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answerCalls, refusal } from '#test/support/components/calls.ts';
import { listener, mountInSite } from '#test/support/components/mount.tsx';
import { slow } from '#test/support/tags.ts';
import { SeriesTexts } from './series-texts.tsx';

type Texts = { title: string; description: string };

/** As the site stores it. */
let stored: Texts;
let reload: () => void;
let series = 0;

function Page({ id }: { id: string }) {
  const [texts, setTexts] = useState(stored);
  useEffect(() => {
    reload = () => setTexts(stored);
  }, []);
  return <SeriesTexts series={{ id, ...texts }} />;
}

async function open(
  answer: (sent: Partial<Texts>) => unknown = () => undefined,
): Promise<{ calls: unknown[]; id: string }> {
  // Unsaved text stays in the tab.
  const id = `s${(series += 1)}`;
  stored = { title: 'Nights', description: 'Rain' };
  const calls: unknown[] = [];
  answerCalls({
    'GET /v1/api/studio/last-change': () => ({ by: 'petra', at: '2026-11-23T21:02:00.000Z' }),
    [`PATCH /v1/api/studio/series/${id}`]: async ({ body }) => {
      calls.push(body);
      const { before: _before, ...sent } = body as Partial<Texts> & { before: object };
      const refused = await answer(sent);
      if (refused !== undefined) return refused;
      stored = { ...stored, ...sent };
      reload();
      return {};
    },
  });
  mountInSite(<Page id={id} />, { user: listener });
  await expect.element(title()).toHaveValue('Nights');
  return { calls, id };
}

const title = () => page.getByRole('textbox', { name: 'Title' });
const description = () => page.getByRole('textbox', { name: 'Description' });
const button = (name: string) => page.getByRole('button', { name, exact: true });

/** Another person has stored this, and the page has loaded it. */
function changedByOthers(texts: Partial<Texts>): void {
  stored = { ...stored, ...texts };
  reload();
}

test('what is typed during a save stays, and is saved next', async () => {
  const site = Promise.withResolvers<undefined>();
  const { calls } = await open(() => site.promise);
  await title().fill('Long nights');
  await button('Save text').click();
  await expect.poll(() => calls).toHaveLength(1);
  await title().fill('Longer nights');
  await description().fill('Rain and sea');
  site.resolve(undefined);
  await expect.element(page.getByText('Text saved').first()).toBeInTheDocument();
  await expect.element(title()).toHaveValue('Longer nights');
  await expect.element(description()).toHaveValue('Rain and sea');
  await button('Save text').click();
  await expect
    .poll(() => calls)
    .toEqual([
      { title: 'Long nights', before: { title: 'Nights' } },
      {
        title: 'Longer nights',
        description: 'Rain and sea',
        before: { title: 'Long nights', description: 'Rain' },
      },
    ]);
  await expect.element(button('Save text')).toBeDisabled();
});

test('another person’s change of what was typed into is a conflict; of another field it is none', slow, async () => {
  const { calls } = await open();
  await title().fill('Long nights');
  changedByOthers({ description: 'Rain on a roof' });
  await expect.element(description()).toHaveValue('Rain on a roof');
  await expect.element(button('Save text')).toBeEnabled();
  changedByOthers({ title: 'Short nights' });
  await expect.element(button('Save mine instead')).toBeEnabled();
  await expect.element(title()).toHaveValue('Long nights');
  // Typing goes on; the conflict stays.
  await title().fill('Longer nights');
  await button('Save mine instead').click();
  await expect.poll(() => calls).toEqual([{ title: 'Longer nights', before: { title: 'Short nights' } }]);
  await expect.element(button('Save text')).toBeDisabled();
});

test('a save that the site refuses for another person’s change keeps both texts', slow, async () => {
  let isFirst = true;
  const { calls } = await open(() => {
    if (!isFirst) return undefined;
    isFirst = false;
    changedByOthers({ title: 'Short nights' });
    return refusal(409, 'text/changed-meanwhile');
  });
  await title().fill('Long nights');
  await button('Save text').click();
  await expect.element(button('Save mine instead')).toBeEnabled();
  await expect.element(title()).toHaveValue('Long nights');
  await button('Load theirs').click();
  await expect.element(title()).toHaveValue('Short nights');
  await expect.element(button('Save text')).toBeDisabled();
  expect(calls).toHaveLength(1);
});

test('unsaved text outlives its page; text that was typed back is nothing to save', slow, async () => {
  const { id } = await open();
  await title().fill('Long nights');
  mountInSite(<p>Another page</p>, { user: listener });
  await expect.element(page.getByText('Another page')).toBeVisible();
  mountInSite(<Page id={id} />, { user: listener });
  await expect.element(title()).toHaveValue('Long nights');
  await title().fill('Nights');
  await expect.element(button('Save text')).toBeDisabled();
  mountInSite(<Page id={id} />, { user: listener });
  await expect.element(title()).toHaveValue('Nights');
});
