import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import type { AskedSplit } from '#domain/studio/splits/splits.ts';
import { formatPercent } from '#formats/decimals.ts';
import { answerOf, api } from '#web/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/fields/field.tsx';
import { Cover } from '#web/ui/images/cover.tsx';
import { useToast } from '#web/ui/layers/toast.tsx';
import { FormDialog } from '#web/workshop/form-dialog.tsx';
import { Pane } from '#web/workshop/pane.tsx';

/** Shares that others propose to a creator, until it agrees. */
export function AskedShares({ voiceId, asked }: { voiceId: string; asked: AskedSplit[] }) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const [declining, setDeclining] = useState<AskedSplit>();
  const [reason, setReason] = useState('');
  const [isBusy, setIsBusy] = useState(false);

  async function answer(splitId: string, state: 'agreed' | 'declined'): Promise<boolean> {
    setIsBusy(true);
    const words = reason.trim();
    const sent = await answerOf(
      api.studio.voices[':id'].splits[':splitId'].$put({
        param: { id: voiceId, splitId },
        json: state === 'declined' && words !== '' ? { state, reason: words } : { state },
      }),
    );
    await revalidate();
    setIsBusy(false);
    if (!sent.ok) showToast({ text: sent.message });
    return sent.ok;
  }

  return (
    <Pane title={t`Proposed shares of earnings`} className="mb-6">
      <ul>
        {asked.map((one) => {
          const { title } = one.audio;
          return (
            <li
              key={one.id}
              className="flex flex-wrap items-center gap-x-3.5 gap-y-2 border-b border-line py-3 last:border-b-0"
            >
              <Cover imageUrl={one.audio.imageUrl} size={40} />
              <div className="min-w-40 flex-1 text-14">
                <p className="font-semibold wrap-anywhere" dir="auto">
                  {title}
                </p>
                <p className="text-13 text-muted">
                  {one.share === 0
                    ? t`${{ creator: one.creator }} proposes that you give up your share`
                    : t`${{ creator: one.creator }} proposes ${{ share: formatPercent(one.share) }} for you`}
                </p>
              </div>
              <Button
                size="sm"
                disabled={isBusy}
                aria-label={t`Agree: ${title}`}
                onClick={() => void answer(one.id, 'agreed')}
              >
                {t({ message: 'Agree', context: 'shares' })}
              </Button>
              {one.state === 'declined' ? (
                <span className="text-13 text-muted">{t`You declined`}</span>
              ) : (
                <Button
                  size="sm"
                  variant="ghost"
                  className="btn--quiet"
                  disabled={isBusy}
                  aria-label={t`Decline: ${title}`}
                  onClick={() => setDeclining(one)}
                >
                  {t`Decline`}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      <p className="text-13 mt-3 text-muted">
        <Trans>Shares count once everyone has agreed, from the first day of that month.</Trans>
      </p>
      {declining !== undefined && (
        <FormDialog
          title={t`Decline the shares`}
          verb={t`Decline`}
          onClose={() => setDeclining(undefined)}
          onSubmit={() => answer(declining.id, 'declined')}
        >
          <Field
            label={t`Reason`}
            isOptional
            maxLength={500}
            autoComplete="off"
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        </FormDialog>
      )}
    </Pane>
  );
}
