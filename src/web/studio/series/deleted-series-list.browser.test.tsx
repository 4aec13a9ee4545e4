import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answerCalls } from '#test/support/components/calls.ts';
import { mount } from '#test/support/components/mount.tsx';
import { useToast } from '../../ui/layers/toast.tsx';
import { undoOf } from '../../workshop/undo-notices.ts';
import { DeletedSeriesList } from './deleted-series-list.tsx';

const series = { id: 's1', title: 'Nights', totalAudios: 3, deletedAt: '2026-11-28T20:00:00.000Z' };

function Deleted() {
  const showToast = useToast();
  return (
    <>
      <button
        type="button"
        onClick={() => showToast({ text: 'deleted', action: { label: 'Undo', onPress: () => {} }, ...undoOf(['s1']) })}
      >
        Delete
      </button>
      <DeletedSeriesList deleted={[series as never]} canRestore />
    </>
  );
}

test('Restore in the list of deleted series ends the Undo of the deletion', async () => {
  answerCalls({ 'POST /v1/api/studio/series/s1/restore': () => undefined });
  mount(<Deleted />);
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect.element(page.getByRole('button', { name: 'Undo' })).toBeVisible();
  await page.getByRole('button', { name: 'Restore Nights' }).click();
  await expect.element(page.getByText('“Nights” is restored').first()).toBeVisible();
  await expect.poll(() => page.getByRole('button', { name: 'Undo' }).query()).toBeNull();
});
