import { Link } from 'react-router';
import type { VoiceBlock } from '#domain/community/voice-blocks.ts';
import { countOf, formatCount } from '#formats/numbers.ts';
import { formatDate } from '#formats/times.ts';
import { Avatar } from '../../ui/images/avatar.tsx';
import { Button } from '../../ui/button.tsx';

type BlockedPeopleProps = {
  /** `blockedAt` in ISO 8601. */
  items: (Omit<VoiceBlock, 'blockedAt'> & { blockedAt: string })[];
  total: number;
  unblock: (user: { id: string; username: string }) => Promise<void>;
  /** Address of the complete list, when only the first entries are shown. */
  all?: string;
};

/** Listeners who may not comment on the voice's audios. */
export function BlockedPeople({ items, total, unblock, all }: BlockedPeopleProps) {
  return (
    <>
      <div className="pane__head">
        <h2 className="pane-subtitle">Blocked people</h2>
        <span className="text-13 tabular-nums text-muted">{formatCount(total)}</span>
      </div>
      {items.length > 0 && (
        <ul className="todo">
          {items.map((user) => (
            <li key={user.id}>
              <Avatar name={user.icon ?? user.username} color={user.color} />
              <div className="min-w-0">
                <b>{user.username}</b>
                <small>Since {formatDate(user.blockedAt)}</small>
              </div>
              <Button
                variant="ghost"
                size="sm"
                aria-label={`Unblock ${user.username}`}
                onClick={() => void unblock(user)}
              >
                Unblock
              </Button>
            </li>
          ))}
        </ul>
      )}
      {all !== undefined && total > items.length && (
        <p className="mt-2">
          <Link className="link text-13" to={all}>
            Show all {countOf(total, 'person', 'people')}
          </Link>
        </p>
      )}
      <p className="mt-3 text-13 text-muted">
        {total === 0 ? 'You haven’t blocked anyone. Blocked people' : 'They'} can listen but not comment under your
        audios. They are not told.
      </p>
    </>
  );
}
