import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import User from 'lucide-react/icons/user';
import { href, Link } from 'react-router';
import type { HeldComment } from '#domain/admin/desk/held-comments.ts';
import { api } from '#web/api.ts';
import { foreign } from '#web/catalogue/foreign-language.tsx';
import { Button } from '#web/ui/button.tsx';
import { LocalTime } from '#web/workshop/local-time.tsx';
import { Pane } from '#web/workshop/pane.tsx';
import { StateMark } from '#web/workshop/state-mark.tsx';
import { useCall } from '../use-call.ts';
import { withMarks } from '#web/workshop/with-marks.tsx';

/** Comments with a watched word, oldest first; the next ones follow when these are decided. */
export function HeldComments({ comments, now }: { comments: HeldComment[]; now: number }) {
  return (
    <Pane title={t`Comments with a watched word`} className="mt-6">
      <ul className="grid gap-5">
        {comments.map((comment) => (
          <Held key={comment.id} comment={comment} now={now} />
        ))}
      </ul>
    </Pane>
  );
}

function Held({ comment, now }: { comment: HeldComment; now: number }) {
  const { id, text, marks, language, username, audio, createdAt, editedAt, waitsNext, isYours } = comment;
  const { call, busy, isBusy } = useCall();
  const name = username ?? t`Someone`;
  const decide = (decision: 'show' | 'remove', done: string) =>
    call(
      decision,
      () =>
        api.admin['held-comments'][':id'].decision.$post({
          param: { id },
          json: { decision, editedAt: editedAt?.toISOString() ?? null },
        }),
      {
        done,
      },
    );
  return (
    <li>
      <p className="text-13 text-muted">
        <b className="text-text">{name}</b>{' '}
        <span className="dot">
          <Trans>
            under{' '}
            <Link className="link" to={href('/audio/:slug', { slug: audio.slug })} reloadDocument dir="auto">
              {audio.title}
            </Link>
          </Trans>
        </span>
        <span className="dot">
          <LocalTime at={createdAt} now={now} style="moment" />
        </span>
      </p>
      <p className="notice-quote mt-2" dir="auto" lang={foreign(language)}>
        {withMarks(text, marks)}
      </p>
      {waitsNext && <p className="hint mt-1">{t`Then it waits for its creator, who holds it, too.`}</p>}
      <div className="mt-2.5 flex flex-wrap gap-2">
        {isYours ? (
          <StateMark icon={User} text={t`Yours`} />
        ) : (
          <>
            <Button
              size="sm"
              aria-label={t`Show the comment of ${name}`}
              disabled={isBusy}
              busy={busy === 'show' ? t`Showing…` : undefined}
              onClick={() => void decide('show', t`The comment is shown`)}
            >
              {t`Show`}
            </Button>
            <Button
              size="sm"
              variant="ghost"
              aria-label={t`Remove the comment of ${name}`}
              disabled={isBusy}
              busy={busy === 'remove' ? t`Removing…` : undefined}
              onClick={() => void decide('remove', t`The comment was removed, and its author told`)}
            >
              {t({ message: 'Remove', context: 'comment' })}
            </Button>
          </>
        )}
      </div>
    </li>
  );
}
