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
  return (
    <Note tone="error" className="mt-6">
      <b className="font-semibold">Your account will be deleted on {formatDay(dueAt)}.</b> The operator of {siteName}{' '}
      has planned this. Everything that belongs to your account is deleted, and a subscription ends then. Until that day
      you can{' '}
      <Link className="ulink" to={href('/account/:id', { id: 'data' })}>
        download your data
      </Link>
      . If this is a mistake,{' '}
      {email === undefined ? (
        'answer the email that you got about it'
      ) : (
        <>
          write to{' '}
          <a className="ulink wrap-anywhere" href={`mailto:${email}`}>
            {email}
          </a>
        </>
      )}{' '}
      before that day: only the operator can cancel the deletion.
    </Note>
  );
}
