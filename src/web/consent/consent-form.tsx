import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Undo from 'lucide-react/icons/undo-2';
import { Link } from 'react-router';
import { performerNameLength } from '#domain/verification/rules.ts';
import type { ConsentView } from '#domain/verification/consents.ts';
import { language } from '#i18n';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/images/icon.tsx';
import { Note } from '../ui/note.tsx';

type ConsentFormProps = { token: string; consent: ConsentView; siteName: string; fault: 'needs' | 'name' | undefined };

/** Posts without scripts. Nothing is ticked before, unless it was agreed to earlier. */
export function ConsentForm({ token, consent, siteName, fault }: ConsentFormProps) {
  const { state, recorded, published, downloaded, name } = consent;
  const { voiceName } = consent.audio;
  const wasAnswered = state !== 'asked';
  return (
    <form className="mt-8 grid gap-8" method="post" action={`/consent/${token}`}>
      <input type="hidden" name="language" value={language()} />
      {fault !== undefined && (
        <Note tone="error">
          {fault === 'needs'
            ? t`To publish it, ${voiceName} needs the first two.`
            : t`Write a name of at most ${performerNameLength} letters, or choose not to be credited.`}
        </Note>
      )}
      <fieldset>
        <legend>
          <Trans>What you agree to</Trans>
        </legend>
        <label className="consent__option">
          <input type="checkbox" name="recorded" defaultChecked={recorded} />
          <b>{t`I agree to have been recorded`}</b>
          <small>{t`You took part of your own free will, aged 18 or older.`}</small>
        </label>
        <label className="consent__option">
          <input type="checkbox" name="published" defaultChecked={published} />
          <b>{t`It may be published on ${siteName}`}</b>
          <small>{t`Anyone, or subscribers only, can listen to it there.`}</small>
        </label>
        <label className="consent__option">
          <input type="checkbox" name="downloaded" defaultChecked={downloaded} />
          <b>{t`Listeners may download it`}</b>
          <small>{t`To their device, in the app. Optional.`}</small>
        </label>
      </fieldset>
      <fieldset>
        <legend>
          <Trans>Your name</Trans>
        </legend>
        <div className="consent__option">
          <input id="credit-name" type="radio" name="credit" value="name" defaultChecked={name !== null} />
          <label htmlFor="credit-name">
            <b>{t`Show a name`}</b>
          </label>
          <span>
            <span className="input">
              <input
                className="input__field"
                name="name"
                aria-label={t`Name shown`}
                defaultValue={name ?? ''}
                maxLength={performerNameLength}
                autoComplete="off"
              />
            </span>
          </span>
        </div>
        <label className="consent__option">
          <input type="radio" name="credit" value="none" defaultChecked={name === null} />
          <b>{t`Do not credit me`}</b>
          <small>{t`The page does not name you.`}</small>
        </label>
      </fieldset>
      <div className="note note--info">
        <Icon of={Undo} size={18} />
        <span>
          <Trans>You can take your consent back at any time, on this page. The audio then is hidden at once.</Trans>
        </span>
      </div>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" size="lg" name="act" value="give">
          {wasAnswered ? t`Save` : t`Give consent`}
        </Button>
        {!wasAnswered && (
          <Button type="submit" variant="outline" size="lg" name="act" value="refuse">
            {t`I do not agree`}
          </Button>
        )}
      </div>
      <p className="text-14 text-muted">
        <Trans>
          {siteName} keeps your answer, the time and your email. Nobody but {voiceName} and the operator sees them.{' '}
          <Link className="ulink" to={`/consent/${token}/not-me`}>
            Is this not you?
          </Link>
        </Trans>
      </p>
    </form>
  );
}
