import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { href, Link } from 'react-router';
import type { Profile } from '#domain/identity/accounts.ts';
import { socialNames } from '#domain/identity/social-rules.ts';
import { Avatar } from '../../ui/images/avatar.tsx';
import { useToast } from '../../ui/layers/toast.tsx';
import { Note } from '../../ui/note.tsx';
import { AccountColor } from './account-color.tsx';
import { formatMonth } from '#formats/times.ts';
import { AccountFact } from './account-fact.tsx';
import type { Leave } from './account-forms.tsx';

/** The logged-in user, as the account page shows it. */
export type AccountOwner = { username: string } & Pick<
  Profile,
  'id' | 'email' | 'icon' | 'color' | 'hasPassword' | 'passwordChangedAt' | 'createdAt'
>;

export function AccountProfile({ owner, heading: Heading }: { owner: AccountOwner; heading: 'h1' | 'h2' }) {
  const { username, email, icon, color, passwordChangedAt } = owner;
  const passwordMonth = passwordChangedAt && formatMonth(passwordChangedAt);
  const providers = socialNames();
  return (
    <section id="profile" tabIndex={-1} aria-label={t`Profile`}>
      <Heading className="text-26" tabIndex={-1}>
        {t`Profile`}
      </Heading>
      <noscript>
        <p className="mt-2 text-soft">
          <Trans>Changing any of it needs JavaScript.</Trans>
        </p>
      </noscript>
      <dl className="details">
        <AccountRow label={t`Username`} value={username} action={t`Edit`} spoken={t`Edit username`}>
          {({ AccountUsernameForm }, leave) => <AccountUsernameForm current={username} leave={leave} />}
        </AccountRow>
        {owner.hasPassword !== false ? (
          <>
            <AccountRow label={t`Email`} value={email} action={t`Edit`} spoken={t`Edit email`}>
              {({ AccountEmailForm }, leave) => <AccountEmailForm leave={leave} />}
            </AccountRow>
            <AccountRow
              label={t`Password`}
              value={passwordMonth === null ? t`Never changed` : t`Last changed in ${passwordMonth}`}
              action={t`Change`}
              spoken={t`Change password`}
            >
              {({ AccountPasswordForm }, leave) => <AccountPasswordForm email={email ?? ''} leave={leave} />}
            </AccountRow>
          </>
        ) : (
          <>
            <AccountFact label={t`Email`} value={email ?? t({ message: 'None', context: 'email' })} />
            <AccountFact label={t`Password`} value={t`None: you sign in with ${providers}`} />
          </>
        )}
        <AccountRow
          label={t`Avatar letter`}
          value={<Avatar name={icon ?? username} color={color} />}
          action={t`Edit`}
          spoken={t`Edit avatar letter`}
        >
          {({ AccountLetterForm }, leave) => <AccountLetterForm current={icon} leave={leave} />}
        </AccountRow>
        <AccountFact label={t`Avatar color`} value={<AccountColor name={icon ?? username} color={color} />} />
        <AccountFact label={t`Public profile`} value={t`What others see of you`}>
          <Link className="link" to={href('/account/:id', { id: owner.id })} aria-label={t`Open public profile`}>
            {t({ message: 'Open', context: 'verb' })}
          </Link>
        </AccountFact>
      </dl>
    </section>
  );
}

/** Loaded late: it includes the validation library. */
const loadForms = () => import('./account-forms.tsx');
type Forms = Awaited<ReturnType<typeof loadForms>>;

type AccountRowProps = {
  label: string;
  value: ReactNode;
  /** The button. */
  action: string;
  /** The button, for screen readers. */
  spoken: string;
  children: (forms: Forms, leave: Leave) => ReactNode;
};

/** One line of the profile, edited in place. The focus moves into the form, and back to the button on closing. */
function AccountRow({ label, value, action, spoken, children }: AccountRowProps) {
  const [forms, setForms] = useState<Forms>();
  const [note, setNote] = useState<string>();
  const row = useRef<HTMLDivElement>(null);
  const wasOpen = useRef(false);
  const showToast = useToast();
  const isOpen = forms !== undefined;

  // Preloaded before the press; if that fails, the press retries.
  useEffect(() => void loadForms().catch(() => undefined), []);
  useEffect(() => {
    if (isOpen) row.current?.querySelector<HTMLElement>('input:not([readonly])')?.focus();
    else if (wasOpen.current) row.current?.querySelector('button')?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);

  async function open(): Promise<void> {
    const loaded = await loadForms().catch(() => undefined);
    if (loaded === undefined) return showToast({ text: t`No internet connection` });
    setNote(undefined);
    setForms(loaded);
  }

  const leave: Leave = (left) => {
    setForms(undefined);
    setNote(left !== undefined && 'note' in left ? left.note : undefined);
    if (left !== undefined && 'toast' in left) showToast({ text: left.toast });
  };

  if (forms !== undefined) {
    return (
      <div ref={row} className="details__row" data-open>
        <dt>{label}</dt>
        <dd>{children(forms, leave)}</dd>
      </div>
    );
  }
  return (
    <div ref={row} className="details__row">
      <dt>{label}</dt>
      <dd>{value}</dd>
      <dd>
        <button type="button" className="link" aria-label={spoken} onClick={() => void open()}>
          {action}
        </button>
      </dd>
      {note !== undefined && (
        <dd className="details__note">
          <Note tone="success">{note}</Note>
        </dd>
      )}
    </div>
  );
}
