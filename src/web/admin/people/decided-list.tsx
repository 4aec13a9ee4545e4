import { href, Link } from 'react-router';
import type { PastDecision } from '#domain/admin/people/report-queue.ts';
import { formatAgo } from '#formats/times.ts';
import { Button } from '../../ui/button.tsx';
import { verbWords } from './report-words.ts';

type DecidedListProps = {
  decisions: PastDecision[];
  now: number;
  nextCursor: string | undefined;
  busy: string | undefined;
  onUndo: (decisionId: string) => void;
};

/** Decisions, newest first; each can be undone while it is the latest one on its comment. */
export function DecidedList({ decisions, now, nextCursor, busy, onUndo }: DecidedListProps) {
  return (
    <section className="pane" aria-label="Decided">
      <ul className="todo">
        {decisions.map(({ id, verb, username, text, audioTitle, by, at, note, undoneAt, canUndo }) => (
          <li key={id} className="todo--line">
            <div className="min-w-0">
              <b>
                {verbWords[verb]}
                {undoneAt !== null && ', undone'}
              </b>
              <small className="wrap-anywhere">
                {username}
                {audioTitle !== null && ` under ${audioTitle}`}: “{text}”
              </small>
              <small className="wrap-anywhere">
                By {by ?? 'the command line'}, {formatAgo(at, now)}
                {note !== null && `. Note: ${note}`}
              </small>
            </div>
            {canUndo && (
              <Button
                variant="secondary"
                size="sm"
                busy={busy === id ? 'Undoing…' : undefined}
                aria-label={`Undo: ${verbWords[verb]}, ${username ?? ''}`}
                onClick={() => onUndo(id)}
              >
                Undo
              </Button>
            )}
          </li>
        ))}
      </ul>
      {nextCursor !== undefined && (
        <div className="pager">
          <span />
          <nav aria-label="Pages">
            <Button render={<Link to={`${href('/admin/reports')}?show=decided&cursor=${nextCursor}`}>Older</Link>} />
          </nav>
        </div>
      )}
    </section>
  );
}
