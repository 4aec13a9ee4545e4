import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router';
import type { ConsentView } from '#domain/verification/consents.ts';
import { language } from '#i18n';
import { Button } from '../ui/button.tsx';
import { Note } from '../ui/note.tsx';

type StateProps = { token: string; consent: ConsentView };

/** The answer, and how to change it. */
export function ConsentFacts({ token, consent }: StateProps) {
  const { state, recorded, published, downloaded, name, isOutdated } = consent;
  const said = (isAgreed: boolean) => (isAgreed ? t`Yes` : t`No`);
  return (
    <>
      {isOutdated && (
        <Note tone="info" className="mt-8">
          <Trans>
            The recording has changed since your answer. Until you agree to it again, it counts as not answered.
          </Trans>
        </Note>
      )}
      <dl className="fact-list mt-8 text-15">
        <dt>{t({ message: 'Recorded', context: 'consent' })}</dt>
        <dd>{said(recorded)}</dd>
        <dt>{t({ message: 'Published', context: 'consent' })}</dt>
        <dd>{said(published)}</dd>
        <dt>{t({ message: 'Downloaded', context: 'consent' })}</dt>
        <dd>{said(downloaded)}</dd>
        <dt>{t`Name shown`}</dt>
        <dd dir="auto">{name ?? t`Not credited`}</dd>
        <dt>{t`State`}</dt>
        <dd>{stateText(consent)}</dd>
      </dl>
      <div className="mt-8 flex flex-wrap items-center gap-3">
        <Button variant="outline" render={<Link to={`/consent/${token}/change`} />}>
          {state === 'given' && !isOutdated ? t`Change` : t({ message: 'Agree', context: 'consent' })}
        </Button>
        {state === 'given' && (
          <Button variant="outline" className="btn--danger" render={<Link to={`/consent/${token}/withdraw`} />}>
            {t`Take consent back`}
          </Button>
        )}
      </div>
    </>
  );
}

function stateText({ state, isPublic }: ConsentView): string {
  if (state !== 'given') return t`Hidden. Nobody hears it on this site.`;
  return isPublic ? t`Published.` : t`Not published yet. You get an email when it is.`;
}

/** Says what happens before it does. */
export function WithdrawQuestion({ token, consent }: StateProps) {
  const { voiceName } = consent.audio;
  return (
    <form className="mt-8" method="post" action={`/consent/${token}`}>
      <input type="hidden" name="language" value={language()} />
      <p className="text-soft">
        <Trans>
          The audio is hidden at once: from every page, list, feed and search, and from the devices of those who
          downloaded it as soon as they are online. {voiceName} and the operator are told. You can agree again later.
        </Trans>
      </p>
      <div className="mt-6 flex flex-wrap gap-3">
        <Button type="submit" variant="outline" className="btn--danger" name="act" value="refuse">
          {t`Take consent back`}
        </Button>
        <Button variant="ghost" render={<Link to={`/consent/${token}`} />}>
          {t`Keep it`}
        </Button>
      </div>
    </form>
  );
}
