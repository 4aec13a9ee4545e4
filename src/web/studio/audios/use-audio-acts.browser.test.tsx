import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { ManagedAudio } from '#domain/studio/audios/audio-list.ts';
import { type ReceivedCall, answerCalls, refusal } from '#test/support/components/calls.ts';
import { mount } from '#test/support/components/mount.tsx';
import { useAudioActs } from './use-audio-acts.ts';
import { BulkBar } from '../../workshop/lists/bulk-bar.tsx';
import { PickBox } from '../../workshop/lists/pick-box.tsx';
import { usePicked } from '../../workshop/lists/use-picked.ts';

const ids = ['a1', 'a2', 'a3'];
// The acts read no more of a row.
const rows = ids.map((id, index) => ({
  id,
  title: `Audio ${id}`,
  state: 'published',
  publishedAt: null,
  language: index === 0 ? 'fr' : 'en',
})) as ManagedAudio[];
let calls: ReceivedCall[];
let answer: () => unknown;
const onDone = vi.fn<() => void>();

beforeEach(() => {
  answer = () => ({ changed: ['a1', 'a2'], sentForReview: [], unchanged: [], refused: [] });
  calls = answerCalls({ 'POST /v1/api/studio/audios/acts': () => answer() });
  onDone.mockReset();
});

function Table() {
  const [shown, setShown] = useState(ids);
  const picked = usePicked(shown);
  const acts = useAudioActs(() => {
    onDone();
    picked.clear();
  });
  const chosen = rows.filter(({ id }) => picked.ids.has(id));
  const isAll = picked.ids.size === shown.length;
  return (
    <>
      <PickBox label="All" isPicked={isAll} isMixed={picked.ids.size > 0 && !isAll} onChange={picked.pickAll} />
      {shown.map((id) => (
        <PickBox key={id} label={id} isPicked={picked.ids.has(id)} onChange={(isOn) => picked.pick(id, isOn)} />
      ))}
      <button type="button" onClick={() => setShown(ids.slice(1))}>
        Next page
      </button>
      {picked.ids.size > 0 && (
        <BulkBar count={picked.ids.size} step={acts.step} onBack={acts.close} onClear={picked.clear}>
          <button type="button" onClick={() => acts.act('delete', chosen)}>
            Delete
          </button>
          <button type="button" onClick={() => acts.act('publish', chosen)}>
            Publish
          </button>
          <button type="button" onClick={() => acts.act('free', chosen)}>
            Make free
          </button>
          <button type="button" onClick={() => acts.act('set-language', chosen, { language: 'de' })}>
            German
          </button>
        </BulkBar>
      )}
    </>
  );
}

const box = (name: string) => page.getByRole('checkbox', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const sent = () => calls.map(({ body }) => body);

test('rows are picked one by one and all at once; only those of the page count', async () => {
  mount(<Table />);
  await box('a1').click();
  await expect.element(page.getByText('1 selected')).toBeVisible();
  expect((box('All').element() as HTMLInputElement).indeterminate).toBe(true);
  await box('All').click();
  await expect.element(page.getByText('3 selected')).toBeVisible();
  expect((box('All').element() as HTMLInputElement).indeterminate).toBe(false);
  await button('Next page').click();
  await expect.element(page.getByText('2 selected')).toBeVisible();
  await button('Clear').click();
  await expect.poll(() => page.getByText('selected').query()).toBeNull();
});

test('deleting asks first, with the focus on the answer; Cancel changes nothing', async () => {
  mount(<Table />);
  await box('a1').click();
  await box('a2').click();
  await button('Delete').click();
  await expect.element(page.getByText('Delete 2 audios?')).toBeVisible();
  await expect.element(button('Delete')).toHaveFocus();
  await button('Cancel').click();
  await expect.element(page.getByText('2 selected')).toBeVisible();
  expect(calls).toEqual([]);
});

test('Escape closes the question, then clears the selection, and leaves the focus on a row', async () => {
  mount(<Table />);
  await box('a2').click();
  await button('Delete').click();
  await expect.element(button('Delete')).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByText('1 selected')).toBeVisible();
  await expect.element(box('a2')).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => page.getByText('selected').query()).toBeNull();
  await expect.element(box('a2')).toHaveFocus();
  expect(calls).toEqual([]);
});

test('a confirmed act runs once on the picked rows, and Undo reverses those that changed', async () => {
  mount(<Table />);
  await box('a1').click();
  await box('a2').click();
  await button('Delete').click();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => onDone.mock.calls).toHaveLength(1);
  expect(sent()).toEqual([{ act: 'delete', ids: ['a1', 'a2'] }]);
  await button('Undo').click();
  await expect.poll(sent).toEqual([
    { act: 'delete', ids: ['a1', 'a2'] },
    { act: 'restore', ids: ['a1', 'a2'] },
  ]);
});

test('what went to review is not counted as published', async () => {
  answer = () => ({ changed: ['a1', 'a2'], sentForReview: ['a2'], unchanged: [], refused: [] });
  mount(<Table />);
  await box('a1').click();
  await box('a2').click();
  await button('Publish').click();
  await expect.element(page.getByText('1 audio published, 1 sent for review').first()).toBeInTheDocument();
});

test('what is refused is named with its reason, and the rest can be undone', async () => {
  answer = () => ({
    changed: ['a1'],
    sentForReview: [],
    unchanged: [],
    refused: [{ id: 'a2', title: null, reason: 'owners-only' }],
  });
  mount(<Table />);
  await box('a1').click();
  await box('a2').click();
  await button('Delete').click();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('1 audio deleted, 1 audio not changed')).toBeVisible();
  await expect.element(page.getByText('“Audio a2” can only be deleted by an owner.')).toBeVisible();
  expect(onDone).not.toHaveBeenCalled();
  answer = () => ({ changed: ['a1'], sentForReview: [], unchanged: [], refused: [] });
  await button('Undo 1').click();
  await expect.poll(() => sent().at(-1)).toEqual({ act: 'restore', ids: ['a1'] });
});

test('an act that fails as a whole says that nothing was changed', async () => {
  answer = () => refusal(503, 'server/busy', 'Please try again.');
  mount(<Table />);
  await box('a1').click();
  await button('Make free').click();
  await expect.element(page.getByText('Nothing was changed')).toBeVisible();
  await button('Close').click();
  await expect.element(page.getByText('1 selected')).toBeVisible();
});

test('nothing to change is said without an Undo', async () => {
  answer = () => ({ changed: [], sentForReview: [], unchanged: ['a1'], refused: [] });
  mount(<Table />);
  await box('a1').click();
  await button('Make free').click();
  await expect.element(page.getByText('1 audio was already like this').first()).toBeInTheDocument();
  expect(button('Undo').query()).toBeNull();
});

test('a language is undone by giving each audio its own back', async () => {
  mount(<Table />);
  await box('a1').click();
  await box('a2').click();
  await button('German').click();
  await expect.poll(() => onDone.mock.calls).toHaveLength(1);
  await button('Undo').click();
  await expect.poll(() => sent().length).toBe(3);
  expect(sent()).toEqual([
    { act: 'set-language', ids: ['a1', 'a2'], language: 'de' },
    { act: 'set-language', ids: ['a1'], language: 'fr' },
    { act: 'set-language', ids: ['a2'], language: 'en' },
  ]);
});
