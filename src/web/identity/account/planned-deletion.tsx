import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { href, Link } from 'react-router';
import { formatDay } from '#formats/times.ts';
import { Note } from '../../ui/note.tsx';

/** A deletion by an operator, which only an operator can cancel. */
export type PlannedDeletion = {
  dueAt: Date;
  siteName: string;
  /** The operator’s address; undefined when the site has none, but answers to its mails arrive. */
  email: string | undefined;
};

export function PlannedDeletionNote({ deletion }: { deletion: PlannedDeletion }) {
  const { dueAt, siteName, email } = deletion;
  const day = formatDay(dueAt);
  return (
    <Note tone="error" className="mt-6">
      <b className="font-semibold">{t`Your account will be deleted on ${day}.`}</b>{' '}
      <Trans>
        The operator of {siteName} has planned this. Everything that belongs to your account is deleted, and a
        subscription ends then. Until that day you can{' '}
        <Link className="ulink" to={href('/account/:id', { id: 'data' })}>
          download your data
        </Link>
        .
      </Trans>{' '}
      {email === undefined ? (
        <Trans>
          If this is a mistake, answer the email that you got about it before that day: only the operator can cancel the
          deletion.
        </Trans>
      ) : (
        <Trans>
          If this is a mistake, write to{' '}
          <a className="ulink wrap-anywhere" href={`mailto:${email}`}>
            {email}
          </a>{' '}
          before that day: only the operator can cancel the deletion.
        </Trans>
      )}
    </Note>
  );
}
