import { createMemoryRouter, useLoaderData } from 'react-router';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { mountRouter } from '#test/support/components/mount.tsx';
import type { Answer } from '#web/api.ts';
import { useSavedChanges } from './use-saved-changes.ts';

type Words = { words: string };

test('changes in quick succession are saved in turn, and none is lost', async () => {
  const stored: Words = { words: '' };
  const sent: string[] = [];
  const answers: PromiseWithResolvers<Answer<unknown>>[] = [];
  const send = ({ words = '' }: Partial<Words>) => {
    sent.push(words);
    const answer = Promise.withResolvers<Answer<unknown>>();
    answers.push(answer);
    return answer.promise.then((outcome) => {
      if (outcome.ok) stored.words = words;
      return outcome;
    });
  };

  function Field() {
    const { shown, save } = useSavedChanges(useLoaderData<Words>(), send);
    return (
      <button type="button" onClick={() => void save({ words: `${shown.words}x` })}>
        {`Words: ${shown.words}`}
      </button>
    );
  }

  const router = createMemoryRouter([{ path: '/', element: <Field />, loader: () => ({ ...stored }) }]);
  await mountRouter(router);
  const see = (words: string) =>
    expect.element(page.getByRole('button')).toHaveTextContent(new RegExp(`^Words: ?${words}$`));
  const press = () => page.getByRole('button').click();
  await press();
  await press();
  await see('xx');
  // The second waits for the first one's answer, and stays in sight after it.
  expect(sent).toEqual(['x']);
  answers[0]?.resolve({ ok: true, data: {} } as Answer<unknown>);
  await expect.poll(() => sent).toEqual(['x', 'xx']);
  await see('xx');
  await press();
  await see('xxx');
  answers[1]?.resolve({ ok: true, data: {} } as Answer<unknown>);
  await expect.poll(() => sent.length).toBe(3);
  answers[2]?.resolve({ ok: false, code: 'request/not-found', message: 'No.' } as Answer<unknown>);
  // Refused: as the site has it.
  await see('xx');
  expect(stored.words).toBe('xx');
});
