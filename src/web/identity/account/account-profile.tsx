import { href, Link } from 'react-router';
import type { Profile } from '#domain/identity/accounts.ts';
import { socialNames } from '#domain/identity/social-rules.ts';
import { Avatar } from '../../ui/images/avatar.tsx';
import { AccountColor } from './account-color.tsx';
import { formatMonth } from '#formats/times.ts';
import { AccountFact, AccountRow } from './account-row.tsx';

/** The logged-in user, as the account page shows it. */
export type AccountOwner = { username: string } & Pick<
  Profile,
  'id' | 'email' | 'icon' | 'color' | 'hasPassword' | 'passwordChangedAt' | 'createdAt'
>;

export function AccountProfile({ owner, heading: Heading }: { owner: AccountOwner; heading: 'h1' | 'h2' }) {
  const { username, email, icon, color } = owner;
  return (
    <section id="profile" tabIndex={-1} aria-label="Profile">
      <Heading className="text-26" tabIndex={-1}>
        Profile
      </Heading>
      <noscript>
        <p className="mt-2 text-soft">Changing any of it needs JavaScript.</p>
      </noscript>
      <dl className="details">
        <AccountRow label="Username" value={username} action="Edit">
          {({ AccountUsernameForm }, leave) => <AccountUsernameForm current={username} leave={leave} />}
        </AccountRow>
        {owner.hasPassword !== false ? (
          <>
            <AccountRow label="Email" value={email} action="Edit">
              {({ AccountEmailForm }, leave) => <AccountEmailForm leave={leave} />}
            </AccountRow>
            <AccountRow
              label="Password"
              value={
                owner.passwordChangedAt === null
                  ? 'Never changed'
                  : `Last changed in ${formatMonth(owner.passwordChangedAt)}`
              }
              action="Change"
            >
              {({ AccountPasswordForm }, leave) => <AccountPasswordForm email={email ?? ''} leave={leave} />}
            </AccountRow>
          </>
        ) : (
          <>
            <AccountFact label="Email" value={email ?? 'None'} />
            <AccountFact label="Password" value={`None: you sign in with ${socialNames}`} />
          </>
        )}
        <AccountRow label="Avatar letter" value={<Avatar name={icon ?? username} color={color} />} action="Edit">
          {({ AccountLetterForm }, leave) => <AccountLetterForm current={icon} leave={leave} />}
        </AccountRow>
        <AccountFact label="Avatar color" value={<AccountColor name={icon ?? username} color={color} />} />
        <AccountFact label="Public profile" value="What others see of you">
          <Link className="link" to={href('/account/:id', { id: owner.id })} aria-label="Open public profile">
            Open
          </Link>
        </AccountFact>
      </dl>
    </section>
  );
}
