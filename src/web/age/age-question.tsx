import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router';
import { AgeAnswers, ageQuestion } from './age-answers.tsx';

/** The question as a page, for browsers without JavaScript. */
export function AgeQuestion({ to, siteName }: { to: string; siteName: string }) {
  return (
    <div className="age-question">
      <h1 tabIndex={-1}>{ageQuestion.title()}</h1>
      <p className="mt-4 text-soft">{ageQuestion.text(siteName)}</p>
      <AgeAnswers to={to} />
      <p className="age-question__more">
        <Link className="ulink" to="/privacy">
          <Trans>What we keep</Trans>
        </Link>
      </p>
    </div>
  );
}
