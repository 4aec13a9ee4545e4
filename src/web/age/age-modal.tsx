import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { Link, useRevalidator } from 'react-router';
import { answerOf, api } from '../api.ts';
import type { ModalProps } from '../identity/modals/modal-props.ts';
import { ownPrefix, useRootData } from '../root-data.ts';
import { DialogText, DialogTitle } from '../ui/layers/dialog-window.tsx';
import { Note } from '../ui/note.tsx';
import { AgeAnswers, ageQuestion } from './age-answers.tsx';

/** Asked at the first press on Play, or before anything; the pressed act follows the answer. */
export function AgeModal({ state, authFlow, site }: ModalProps) {
  const { subscribeName: title } = state;
  const { siteName } = site;
  const { revalidate } = useRevalidator();
  const [status, setStatus] = useState<'asks' | 'busy' | 'failed'>('asks');
  const prefix = ownPrefix(useRootData());
  const to = window.location.pathname + window.location.search;
  useEffect(() => {
    const said = /(?:^|;\s*)sotto_under_age=1/.test(document.cookie);
    if (said) window.location.assign(`${prefix}/age/under?to=${encodeURIComponent(to)}`);
  }, [prefix, to]);

  async function confirm(): Promise<void> {
    setStatus('busy');
    const answer = await answerOf(api.age.statement.$post());
    if (!answer.ok) return setStatus('failed');
    authFlow.leave()?.();
    // The page then has its transcript.
    void revalidate();
  }

  return (
    <>
      <DialogTitle>{ageQuestion.title()}</DialogTitle>
      <DialogText>{ageQuestion.text(siteName)}</DialogText>
      <AgeAnswers
        to={to}
        busy={status === 'busy' ? t`Saving` : undefined}
        onSubmit={(event) => {
          // The other answer leads to a page.
          if ((event.nativeEvent as SubmitEvent).submitter?.getAttribute('value') !== 'yes') return;
          event.preventDefault();
          void confirm();
        }}
      />
      {status === 'failed' && (
        <Note tone="error" className="mt-4">
          {t`Your answer could not be kept. Please try again.`}
        </Note>
      )}
      <p className="mt-5 text-center text-14 text-muted">
        {title !== undefined && t`Then “${title}” starts.`}{' '}
        <Link className="ulink" to="/privacy">
          <Trans>What we keep</Trans>
        </Link>
      </p>
    </>
  );
}
