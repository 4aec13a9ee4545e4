import { t } from '@lingui/core/macro';
import { Button } from '../../ui/button.tsx';
import { ConflictNotice } from './conflict-notice.tsx';
import type { useEdited } from './use-edited.ts';

type EditedButtonsProps = {
  edited: Pick<ReturnType<typeof useEdited<object>>, 'isBusy' | 'isConflict' | 'conflict' | 'takeTheirs' | 'reset'>;
  /** Shown in place of ids. */
  valueNames?: Record<string, string>;
  isReady: boolean;
  verb: string;
  variant?: 'primary';
  size?: 'sm';
};

/** End of a form with edited fields: saves them, and after a change by others offers both versions. */
export function EditedButtons({ edited, valueNames, isReady, verb, ...look }: EditedButtonsProps) {
  const { isBusy, isConflict, reset } = edited;
  return (
    <>
      <ConflictNotice edited={edited} valueNames={valueNames} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" disabled={!isReady} busy={isBusy ? t`Saving…` : undefined} {...look}>
          {isConflict ? t`Save mine instead` : verb}
        </Button>
        {isConflict && (
          <Button variant="ghost" disabled={isBusy} onClick={reset}>
            {t`Load theirs`}
          </Button>
        )}
      </div>
    </>
  );
}
