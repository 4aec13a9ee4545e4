import { t } from '@lingui/core/macro';
import Scale from 'lucide-react/icons/scale';
import { Link } from 'react-router';
import type { NoticeAgainst } from '#domain/notices/against.ts';
import { headingOf } from '#domain/notices/wording-rules.ts';
import { formatDay } from '#formats/times.ts';
import { Button } from '../../ui/button.tsx';
import { Banner } from '../verification/banner.tsx';

/** Reports against the audio, each with its private page. */
export function NoticesAgainst({ notices }: { notices: NoticeAgainst[] }) {
  return notices.map(({ number, token, verb, isHidden, isAsked, appealUntil }) => (
    <Banner
      key={number}
      icon={Scale}
      tone={isHidden || (verb !== null && verb !== 'keep') ? 'bad' : 'quiet'}
      title={headingOf({ subject: 'audio', verb, isHidden })}
      act={
        <Button size="sm" render={<Link to={`/report/${token}`} reloadDocument />}>
          {isAsked ? t({ message: 'Answer', context: 'verb' }) : t`Open the report`}
        </Button>
      }
    >
      {[
        t`It was reported, number ${number}.`,
        isAsked && t`Before we decide, we would like to hear from you.`,
        appealUntil !== null && t`You can appeal once, until ${{ day: formatDay(appealUntil) }}.`,
      ]
        .filter(Boolean)
        .join(' ')}
    </Banner>
  ));
}
