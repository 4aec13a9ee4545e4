import { t } from '@lingui/core/macro';
import { Button } from '../../ui/button.tsx';
import { DialogText, DialogTitle } from '../../ui/layers/dialog-window.tsx';
import { Note } from '../../ui/note.tsx';
import { useResume } from './use-resume.ts';

/** For whoever presses what is locked, in place of the prices. */
export function Paused({ until, onDone }: { until: string; onDone: () => unknown }) {
  const { isBusy, failure, resume } = useResume(true);
  return (
    <>
      <DialogTitle>{t`Your subscription is paused until ${until}`}</DialogTitle>
      <DialogText>{t`If you resume now, the next payment is charged at once, and you can hear everything again.`}</DialogText>
      <div className="form">
        {failure !== undefined && <Note tone="error">{failure}</Note>}
        <Button
          variant="primary"
          size="lg"
          width="full"
          busy={isBusy ? t`One moment…` : undefined}
          onClick={() => void resume().then((isDone) => isDone && onDone())}
        >
          {t`Resume now`}
        </Button>
      </div>
    </>
  );
}
