import { Button } from '#web/ui/button.tsx';
import { Note } from '#web/ui/note.tsx';
import type { useEdited } from './use-edited.ts';

type EditedButtonsProps = {
  edited: Pick<ReturnType<typeof useEdited<object>>, 'isBusy' | 'isConflict' | 'reset'>;
  isReady: boolean;
  verb: string;
  variant?: 'primary';
  size?: 'sm';
};

/** End of a form with edited fields: saves them, and after a change by others offers both versions. */
export function EditedButtons({ edited: { isBusy, isConflict, reset }, isReady, verb, ...look }: EditedButtonsProps) {
  return (
    <>
      {isConflict && <Note tone="error">Someone else changed this meanwhile. Your changes are still here.</Note>}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" disabled={!isReady} busy={isBusy ? 'Saving…' : undefined} {...look}>
          {isConflict ? 'Save mine instead' : verb}
        </Button>
        {isConflict && (
          <Button variant="ghost" disabled={isBusy} onClick={reset}>
            Load theirs
          </Button>
        )}
      </div>
    </>
  );
}
