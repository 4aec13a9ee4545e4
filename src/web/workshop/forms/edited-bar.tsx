import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import CircleAlert from 'lucide-react/icons/circle-alert';
import Undo2 from 'lucide-react/icons/undo-2';
import { useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { ConflictNotice } from './conflict-notice.tsx';
import type { useEdited } from './use-edited.ts';

/** Fields that are saved together, as `useEdited` keeps them. */
export type Edited = Pick<
  ReturnType<typeof useEdited<object>>,
  'isChanged' | 'isBusy' | 'isConflict' | 'conflict' | 'takeTheirs' | 'error' | 'reset'
> & { save(): unknown };

type EditedBarProps = {
  edited: Edited;
  /** Shown in place of ids. */
  valueNames?: Record<string, string>;
};

/** Sticks to the bottom edge while there are unsaved changes, and says why saving failed. A conflict stands above it. */
export function EditedBar({ edited, valueNames }: EditedBarProps) {
  const { isChanged, isBusy, isConflict, error, save, reset } = edited;
  const notice = useRef<HTMLDivElement>(null);
  if (!isChanged) return null;

  function showNotice(): void {
    notice.current?.scrollIntoView({ block: 'center' });
    notice.current?.focus({ preventScroll: true });
  }

  return (
    <>
      <div ref={notice} tabIndex={-1}>
        <ConflictNotice edited={edited} valueNames={valueNames} />
      </div>
      <section className="stick" aria-label={t`Unsaved changes`}>
        <output className={isConflict || error !== undefined ? 'saved up-bad min-w-0' : 'saved min-w-0'}>
          {(isConflict || error !== undefined) && <Icon of={CircleAlert} size={16} />}
          <span className="wrap-anywhere">
            {isConflict ? (
              <Trans>
                Changed meanwhile.{' '}
                <button type="button" className="link text-13" onClick={showNotice}>
                  Compare both versions
                </button>
              </Trans>
            ) : (
              (error ?? t`Changes are not saved`)
            )}
          </span>
        </output>
        <span className="ms-auto flex flex-wrap gap-2">
          <Button variant="ghost" disabled={isBusy} onClick={reset}>
            <Icon of={Undo2} size={16} />
            {isConflict ? t`Load theirs` : t`Undo`}
          </Button>
          <Button variant="primary" busy={isBusy ? t`Saving…` : undefined} onClick={() => void save()}>
            {isConflict ? t`Save mine instead` : t`Save`}
          </Button>
        </span>
      </section>
    </>
  );
}
