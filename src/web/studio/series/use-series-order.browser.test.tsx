import { createMemoryRouter, useLoaderData } from 'react-router';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { SeriesPart } from '#domain/studio/series/series.ts';
import { type ReceivedCall, answerCalls, refusal } from '#test/support/components/calls.ts';
import { mountRouter } from '#test/support/components/mount.tsx';
import { ToastProvider } from '../../ui/layers/toast.tsx';
import { useSeriesOrder } from './use-series-order.ts';

const path = '/v1/api/studio/series/s1';
// The hook reads no more of them.
const partsOf = (ids: string) => [...ids].map((id) => ({ id, title: id.toUpperCase() })) as SeriesPart[];

/** As the site has it. */
let stored: string;
let answers: PromiseWithResolvers<unknown>[];
let calls: ReceivedCall[];

function Rows() {
  const saved = useLoaderData<SeriesPart[]>();
  const { parts, move, remove, add } = useSeriesOrder({ id: 's1', parts: saved });
  return (
    <>
      <p data-testid="order">{parts.map(({ id }) => id).join('')}</p>
      <button type="button" onClick={() => move(0, 2)}>
        First to the end
      </button>
      <button type="button" onClick={() => remove(partsOf('b')[0]!)}>
        Remove b
      </button>
      <button type="button" onClick={() => add(partsOf('d')[0]!)}>
        Add d
      </button>
    </>
  );
}

let loads: number;

function open(): void {
  stored = 'abc';
  loads = 0;
  answers = [];
  const later = () => {
    const answer = Promise.withResolvers<unknown>();
    answers.push(answer);
    return answer.promise;
  };
  calls = answerCalls({
    [`POST ${path}/move`]: later,
    [`POST ${path}/audios`]: later,
    [`DELETE ${path}/audios/b`]: later,
  });
  const router = createMemoryRouter(
    [
      {
        path: '/',
        element: (
          <ToastProvider>
            <Rows />
          </ToastProvider>
        ),
        loader() {
          loads += 1;
          return partsOf(stored);
        },
      },
    ],
    { hydrationData: { loaderData: { '0': partsOf(stored) } } },
  );
  mountRouter(router);
}

const shows = (order: string) => expect.poll(() => page.getByTestId('order').element().textContent).toBe(order);
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const bodies = () => calls.map(({ body }) => body);
const refused = () => refusal(409, 'series/changed-meanwhile', 'Somebody else changed the order.');

async function answer(index: number, given: unknown, order: string): Promise<void> {
  await expect.poll(() => answers.length).toBeGreaterThan(index);
  stored = order;
  answers[index]?.resolve(given);
}

test('changes show at once, are saved one after the other, and stay until the last one is', async () => {
  open();
  await press('First to the end');
  await shows('bca');
  await press('First to the end');
  await shows('cab');
  await expect.poll(bodies).toEqual([{ audioId: 'a', after: 'c' }]);
  await answer(0, undefined, 'bca');
  await expect.poll(bodies).toEqual([
    { audioId: 'a', after: 'c' },
    { audioId: 'b', after: 'a' },
  ]);
  await shows('cab');
  expect(loads).toBe(0);
  await answer(1, undefined, 'cab');
  await expect.poll(() => loads).toBe(1);
  await shows('cab');
});

test('a refused change says why, and the list is the saved one again once nothing waits', async () => {
  open();
  await press('First to the end');
  await press('Add d');
  await shows('bcad');
  await answer(0, refused(), 'cba');
  await expect.element(page.getByText('Somebody else changed the order.').first()).toBeInTheDocument();
  await expect.poll(() => loads).toBe(1);
  await shows('bcad');
  await answer(1, undefined, 'cbad');
  await shows('cbad');
  expect(bodies()[1]).toEqual({ audioId: 'd', after: 'a' });
});

test('Undo brings a removed audio back to its place, and a moved one', async () => {
  open();
  await press('Remove b');
  await shows('ac');
  await answer(0, undefined, 'ac');
  await press('Undo');
  await shows('abc');
  await answer(1, undefined, 'abc');
  await expect.poll(() => loads).toBe(2);
  expect(bodies()[1]).toEqual({ audioId: 'b', after: 'a' });
  await press('First to the end');
  await answer(2, undefined, 'bca');
  await expect.element(page.getByText('Order saved').first()).toBeInTheDocument();
  await press('Undo');
  await shows('abc');
  await answer(3, undefined, 'abc');
  await expect.poll(bodies).toHaveLength(4);
  expect(bodies()[3]).toEqual({ audioId: 'a', after: null });
});
