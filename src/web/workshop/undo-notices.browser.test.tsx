import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { mount } from '#test/support/components/mount.tsx';
import { useToast } from '../ui/layers/toast.tsx';
import { endUndo, undoOf } from './undo-notices.ts';

function Acts() {
  const showToast = useToast();
  const undoable = (text: string, ids: string[]) =>
    showToast({ text, action: { label: `Undo ${text}`, onPress: () => {} }, ...undoOf(ids) });
  return (
    <>
      <button type="button" onClick={() => undoable('deletion', ['a', 'b'])}>
        Delete two
      </button>
      <button type="button" onClick={() => undoable('other', ['c'])}>
        Delete another
      </button>
      <button type="button" onClick={() => undoable('restoration', ['b'])}>
        Restore one with Undo
      </button>
      <button type="button" onClick={() => endUndo(['a'])}>
        Restore one for good
      </button>
    </>
  );
}

const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const undos = () => [...document.querySelectorAll('[data-toast] button')].map((button) => button.textContent);

test('the Undo of a deletion goes when its subject is restored by another way, others stay', async () => {
  mount(<Acts />);
  await press('Delete two');
  await press('Delete another');
  await expect.poll(() => undos().toSorted()).toEqual(['Undo deletion', 'Undo other']);
  await press('Restore one for good');
  await expect.poll(undos).toEqual(['Undo other']);
});

test('the Undo of a restoration takes the place of the deletion’s, and the reverse', async () => {
  mount(<Acts />);
  await press('Delete two');
  await expect.poll(undos).toEqual(['Undo deletion']);
  await press('Restore one with Undo');
  await expect.poll(undos).toEqual(['Undo restoration']);
  await press('Delete two');
  await expect.poll(undos).toEqual(['Undo deletion']);
});
