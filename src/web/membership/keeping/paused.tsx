import { t } from '@lingui/core/macro';
import { formatMoney } from '#formats/numbers.ts';
import { answerOf, api } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { DialogText, DialogTitle } from '../../ui/layers/dialog-window.tsx';
import { Note } from '../../ui/note.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import { useResume } from './use-resume.ts';

/** For whoever presses what is locked, in place of the prices. */
export function Paused({ until }: { until: string }) {
  const { isBusy, failure, resume } = useResume(true);
  const price = useLoaded(loadPrice, true);
  return (
    <>
      <DialogTitle>{t`Your subscription is paused until ${until}`}</DialogTitle>
      <DialogText>
        {price === undefined
          ? t`If you resume now, the next payment is charged at once, and you can hear everything again.`
          : t`If you resume now, ${price} is charged at once, and you can hear everything again.`}
      </DialogText>
      <div className="form">
        {failure !== undefined && <Note tone="error">{failure}</Note>}
        <Button
          variant="primary"
          size="lg"
          width="full"
          busy={isBusy ? t`One moment…` : undefined}
          onClick={() => void resume()}
        >
          {t`Resume now`}
        </Button>
      </div>
    </>
  );
}

/** The next charge; undefined when the provider does not say. */
async function loadPrice(): Promise<string | undefined> {
  const answer = await answerOf(api.user.subscription.$get());
  if (!answer.ok) throw new Error(answer.message);
  const { nextCharge } = answer.data;
  return nextCharge === null ? undefined : formatMoney(nextCharge.amount, nextCharge.currency);
}
