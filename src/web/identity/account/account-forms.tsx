import { t } from '@lingui/core/macro';
import { type ReactNode, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useRevalidator } from 'react-router';
import { ChangeEmailForm, ChangePasswordForm, ProfileForm } from '#domain/identity/forms.ts';
import { passwordLength } from '#domain/identity/rules.ts';
import { answerOf, api } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { isComposing } from '../../ui/fields/is-composing.ts';
import { type CheckedFormState, useCheckedForm } from '../../ui/fields/use-checked-form.ts';
import { Note } from '../../ui/note.tsx';
import { KnownEmail } from '../known-email.tsx';
import { UsernameField } from '../modals/username-field.tsx';
import { useSession } from '../session-provider.tsx';
import { refusalOf } from './account-messages.ts';

/** Closes a form: canceled (no argument), saved (`toast`), or with a step left to do (`note`). */
export type Leave = (left?: { toast: string } | { note: string }) => void;

export function AccountUsernameForm({ current, leave }: { current: string; leave: Leave }) {
  const { revalidate } = useRevalidator();
  const [isTaken, setIsTaken] = useState(false);
  const { control, field, state } = useCheckedForm({
    schema: ProfileForm,
    defaultValues: { username: current },
    async send({ username }) {
      if (username === current) return leave();
      const answer = await answerOf(api.user.profile.$post({ json: { username } }));
      if (answer.ok) {
        await revalidate();
        return leave({ toast: t`Username saved` });
      }
      return refusalOf(answer, {
        'auth/username-already-in-use': 'username',
        'auth/invalid-username': 'username',
      } as const);
    },
  });
  const typed = useWatch({ control, name: 'username' });

  return (
    <AccountForm label={t`Edit username`} state={state} isBlocked={isTaken} onCancel={() => leave()}>
      <UsernameField value={typed} current={current} onTaken={setIsTaken} {...field('username')} />
    </AccountForm>
  );
}

/** Sends a confirmation link to the new address; nothing changes until it is used. */
export function AccountEmailForm({ leave }: { leave: Leave }) {
  const { field, state } = useCheckedForm({
    schema: ChangeEmailForm,
    defaultValues: { email: '', password: '' },
    async send(change) {
      const answer = await answerOf(api.user.email.$post({ json: change }));
      if (answer.ok) return leave({ note: answer.data.message });
      return refusalOf(answer, { 'auth/invalid-email': 'email', 'auth/wrong-password': 'password' } as const);
    },
  });

  return (
    <AccountForm label={t`Edit email`} state={state} onCancel={() => leave()}>
      <Field
        label={t`New email`}
        type="email"
        autoComplete="email"
        hint={t`We will send a link to this address. Your email changes once you confirm it there.`}
        {...field('email')}
      />
      <KnownEmail />
      <Field label={t`Password`} type="password" autoComplete="current-password" {...field('password')} />
    </AccountForm>
  );
}

/** @param props.email for password managers, which save the password under this username */
export function AccountPasswordForm({ email, leave }: { email: string; leave: Leave }) {
  const { adopt } = useSession();
  const { min } = passwordLength;
  const { field, state } = useCheckedForm({
    schema: ChangePasswordForm,
    defaultValues: { currentPassword: '', newPassword: '' },
    async send(change) {
      const answer = await answerOf(api.user.password.$post({ json: change }));
      if (answer.ok) {
        // The change ends all sessions; the response contains a new one for this device.
        adopt(answer.data);
        return leave({ toast: t`Password changed. All other devices are logged out.` });
      }
      return refusalOf(answer, {
        'auth/wrong-password': 'currentPassword',
        'auth/weak-password': 'newPassword',
        'auth/common-password': 'newPassword',
      } as const);
    },
  });

  return (
    <AccountForm label={t`Change password`} state={state} onCancel={() => leave()}>
      <KnownEmail email={email} />
      <Field
        label={t`Current password`}
        type="password"
        autoComplete="current-password"
        {...field('currentPassword')}
      />
      <Field
        label={t`New password`}
        type="password"
        autoComplete="new-password"
        hint={t`At least ${min} characters`}
        {...field('newPassword')}
      />
    </AccountForm>
  );
}

type AccountLetterFormProps = {
  /** Null: the first letter of the username is shown. */
  current: string | null;
  leave: Leave;
};

export function AccountLetterForm({ current, leave }: AccountLetterFormProps) {
  const { revalidate } = useRevalidator();
  const [typed, setTyped] = useState(current ?? '');
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  async function save(): Promise<void> {
    setIsBusy(true);
    setFailure(undefined);
    const answer = await answerOf(api.user.profile.$post({ json: { icon: firstOf(typed) ?? null } }));
    if (answer.ok) {
      await revalidate();
      return leave({ toast: t`Avatar letter saved` });
    }
    setIsBusy(false);
    setFailure(answer.message);
  }

  return (
    <AccountForm
      label={t`Edit avatar letter`}
      state={{
        failure,
        isReady: true,
        isBusy,
        onSubmit(event) {
          event.preventDefault();
          if (!isBusy) void save();
        },
        onChange: () => setFailure(undefined),
      }}
      onCancel={() => leave()}
    >
      <Field
        label={t`Avatar letter`}
        className="w-40"
        autoComplete="off"
        value={typed}
        hint={t`Leave empty for the first letter of your username`}
        onChange={(event) => setTyped(firstOf(event.target.value) ?? '')}
      />
    </AccountForm>
  );
}

/** Only the first character of a pasted text. */
function firstOf(text: string): string | undefined {
  return [...text.trim()][0];
}

type AccountFormProps = {
  /** Accessible name of the form. */
  label: string;
  state: CheckedFormState;
  /** The form cannot be sent, although its fields are valid. */
  isBlocked?: boolean;
  onCancel: () => void;
  children: ReactNode;
};

/** Replaces one line of the profile by its fields; Escape cancels. */
export function AccountForm({ label, state, isBlocked = false, onCancel, children }: AccountFormProps) {
  const { failure, isReady, isBusy, onSubmit, onChange } = state;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape, from whichever field
    <form
      className="form"
      aria-label={label}
      noValidate
      onSubmit={onSubmit}
      onChange={onChange}
      onKeyDown={(event) => event.key === 'Escape' && !isComposing(event) && !isBusy && onCancel()}
    >
      {failure !== undefined && <Note tone="error">{failure}</Note>}
      {children}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" disabled={!isReady || isBlocked} busy={isBusy ? t`Saving…` : undefined}>
          {t`Save`}
        </Button>
        <Button variant="ghost" disabled={isBusy} onClick={onCancel}>
          {t`Cancel`}
        </Button>
      </div>
    </form>
  );
}
