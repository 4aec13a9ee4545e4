import { href, Link } from 'react-router';
import type { AvatarColor } from '#domain/identity/rules.ts';
import { socialNames } from '#domain/identity/social-rules.ts';
import { Avatar } from '../../ui/images/avatar.tsx';
import { AccountColor } from './account-color.tsx';
import { formatMonth } from '#formats/times.ts';
import { AccountFact, AccountRow } from './account-row.tsx';

const loadUsernameForm = () => import('./account-username-form.tsx');
const loadEmailForm = () => import('./account-email-form.tsx');
const loadPasswordForm = () => import('./account-password-form.tsx');
const loadLetterForm = () => import('./account-letter-form.tsx');

/** The logged-in user, as the account page shows it. */
export type AccountOwner = {
  id: string;
  username: string;
  email: string | null;
  icon: string | null;
  color: AvatarColor;
  /** Null: the identity provider does not report it. */
  hasPassword: boolean | null;
  passwordChangedAt: Date | null;
  createdAt: Date;
};

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
        <AccountRow label="Username" value={username} action="Edit" load={loadUsernameForm}>
          {({ AccountUsernameForm }, leave) => <AccountUsernameForm current={username} leave={leave} />}
        </AccountRow>
        {owner.hasPassword !== false ? (
          <>
            <AccountRow label="Email" value={email} action="Edit" load={loadEmailForm}>
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
              load={loadPasswordForm}
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
        <AccountRow
          label="Avatar letter"
          value={<Avatar name={icon ?? username} color={color} />}
          action="Edit"
          load={loadLetterForm}
        >
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
