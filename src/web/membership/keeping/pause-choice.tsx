import { t } from '@lingui/core/macro';
import { useState } from 'react';
import type { Subscription } from '#domain/membership/shapes.ts';
import { formatDay } from '#formats/times.ts';
import { formatMoney } from '#formats/numbers.ts';
import { answerOf, api } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import type { Plain } from '../plain.ts';
import { PlanChoice } from '../plan-choice.tsx';
import { useChange } from '../use-change.ts';
import { monthsOf } from '../wording.ts';

type PauseChoiceProps = { subscription: Plain<Subscription>; onDone: () => void };

/** How long to pause, with the dates of each length. */
export function PauseChoice({ subscription, onDone }: PauseChoiceProps) {
  const { pauseChoices: choices, nextCharge, amount, currency } = subscription;
  const { isBusy, failure, run } = useChange();
  const [months, setMonths] = useState(choices[0]?.months ?? 1);
  const price = nextCharge?.amount ?? amount;
  const pause = async () => {
    const json = { months: months as 1 };
    const isDone = await run(
      () => answerOf(api.user.subscription.pause.$post({ json })),
      t`Your pause is agreed. We have sent you its dates.`,
    );
    if (isDone) onDone();
  };
  return (
    <>
      <PlanChoice
        label={t`How long you pause`}
        value={months}
        onChange={setMonths}
        options={choices.map((choice) => {
          const until = formatDay(choice.until);
          return {
            value: choice.months,
            title: monthsOf(choice.months),
            text: t`Until ${until}`,
            price: price === null || currency === null ? '' : formatMoney(price, currency),
            priceNote: t`then`,
          };
        })}
      />
      {failure !== undefined && <Note tone="error">{failure}</Note>}
      <Button
        variant="outline"
        size="lg"
        width="full"
        busy={isBusy ? t`One moment…` : undefined}
        onClick={() => void pause()}
      >
        {t`Pause for ${{ months: monthsOf(months) }}`}
      </Button>
    </>
  );
}
