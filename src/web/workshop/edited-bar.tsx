import CircleAlert from 'lucide-react/icons/circle-alert';
import Undo2 from 'lucide-react/icons/undo-2';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import type { useEdited } from './use-edited.ts';

type Edited = Pick<
  ReturnType<typeof useEdited<object>>,
  'isChanged' | 'isBusy' | 'isConflict' | 'error' | 'save' | 'reset'
>;

/** Sticks to the bottom edge while there are unsaved changes, and says why saving failed. */
export function EditedBar({ edited: { isChanged, isBusy, isConflict, error, save, reset } }: { edited: Edited }) {
  if (!isChanged) return null;
  return (
    <section className="stick" aria-label="Unsaved changes">
      <output className={isConflict || error !== undefined ? 'saved up-bad min-w-0' : 'saved min-w-0'}>
        {(isConflict || error !== undefined) && <Icon of={CircleAlert} size={16} />}
        <span className="wrap-anywhere">
          {isConflict
            ? 'Someone else changed this meanwhile. Your changes are still here.'
            : (error ?? 'Changes are not saved')}
        </span>
      </output>
      <span className="ml-auto flex flex-wrap gap-2">
        <Button variant="ghost" disabled={isBusy} onClick={reset}>
          <Icon of={Undo2} size={16} />
          {isConflict ? 'Load theirs' : 'Undo'}
        </Button>
        <Button variant="primary" busy={isBusy ? 'Saving…' : undefined} onClick={() => void save()}>
          {isConflict ? 'Save mine instead' : 'Save'}
        </Button>
      </span>
    </section>
  );
}
