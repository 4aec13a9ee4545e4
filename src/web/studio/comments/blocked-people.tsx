import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router';
import type { VoiceBlock } from '#domain/community/voice-blocks.ts';
import { formatCount } from '#formats/numbers.ts';
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
        <h2 className="pane-subtitle">
          <Trans>Blocked people</Trans>
        </h2>
        <span className="text-13 tabular-nums text-muted">{formatCount(total)}</span>
      </div>
      {items.length > 0 && (
        <ul className="todo">
          {items.map((user) => (
            <li key={user.id}>
              <Avatar name={user.icon ?? user.username} color={user.color} />
              <div className="min-w-0">
                <b>{user.username}</b>
                <small>{t`Since ${{ date: formatDate(user.blockedAt) }}`}</small>
              </div>
              <Button
                variant="ghost"
                size="sm"
                aria-label={t`Unblock ${{ name: user.username }}`}
                onClick={() => void unblock(user)}
              >
                {t`Unblock`}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {all !== undefined && total > items.length && (
        <p className="mt-2">
          <Link className="link text-13" to={all}>
            {plural({ count: total }, { one: 'Show # person', other: 'Show all # people' })}
          </Link>
        </p>
      )}
      <p className="mt-3 text-13 text-muted">
        {total === 0
          ? t`You haven’t blocked anyone. Blocked people can listen but not comment under your audios. They are not told.`
          : t`They can listen but not comment under your audios. They are not told.`}
      </p>
    </>
  );
}
