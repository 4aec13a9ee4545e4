import Ban from 'lucide-react/icons/ban';
import Check from 'lucide-react/icons/check';
import ChevronRight from 'lucide-react/icons/chevron-right';
import EyeOff from 'lucide-react/icons/eye-off';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { href, Link } from 'react-router';
import type { PastDecision, ReportDetail } from '#domain/admin/people/report-queue.ts';
import type { DecisionVerb } from '#domain/community/rules.ts';
import { formatCount } from '#formats/numbers.ts';
import { formatDate } from '#formats/times.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { verbWords } from './report-words.ts';

/** The author, with earlier decisions on their comments. */
export function ReportedAuthor({ author }: { author: ReportDetail['author'] }) {
  return (
    <section className="pane" aria-labelledby="author">
      <div className="pane__head">
        <h2 className="pane-title min-w-0 truncate" id="author">
          {author.username}
        </h2>
        <Button variant="ghost" size="sm" render={<Link to={href('/admin/users/:id', { id: author.id })} />}>
          Open user
          <Icon of={ChevronRight} size={16} />
        </Button>
      </div>
      <dl className="facts mb-4">
        <dt>Joined</dt>
        <dd>
          {formatDate(author.joinedAt)}
          {author.isAdmin ? ', admin' : author.isSubscribed ? ', subscriber' : ''}
          {author.isSuspended && ', suspended'}
        </dd>
        <dt>Comments</dt>
        <dd>
          {formatCount(author.comments)}, of which {formatCount(author.reportedBefore)} decided before
        </dd>
      </dl>
      {author.history.length > 0 && (
        <ol className="timeline" aria-label="Earlier decisions">
          {author.history.map((decision) => (
            <Past key={decision.id} decision={decision} />
          ))}
        </ol>
      )}
    </section>
  );
}

const marks = { keep: Check, remove: EyeOff, warn: TriangleAlert, suspend: Ban } satisfies Record<
  DecisionVerb,
  unknown
>;
const tones: Record<DecisionVerb, string> = {
  keep: 'timeline__icon tone-ok',
  remove: 'timeline__icon',
  warn: 'timeline__icon tone-accent',
  suspend: 'timeline__icon tone-bad',
};

function Past({ decision }: { decision: PastDecision }) {
  const { verb, text, audioTitle, by, at, undoneAt, note } = decision;
  return (
    <li>
      <span className={tones[verb]}>
        <Icon of={marks[verb]} size={16} />
      </span>
      <b>
        {verbWords[verb]}
        {undoneAt !== null && ', undone'}
      </b>
      <time dateTime={at}>{formatDate(at)}</time>
      <small className="wrap-anywhere">
        “{text.length > 160 ? `${text.slice(0, 159)}…` : text}”{audioTitle !== null && ` Under ${audioTitle}.`} By{' '}
        {by ?? 'the command line'}.{note !== null && ` Note: ${note}`}
      </small>
    </li>
  );
}
