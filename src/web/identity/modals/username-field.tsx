import { t } from '@lingui/core/macro';
import { type ComponentProps, useEffect, useEffectEvent, useRef, useState } from 'react';
import { isUsername, normalizeUsername, usernameLength } from '#domain/identity/rules.ts';
import { answerOf, api } from '../../api.ts';
import { Field } from '../../ui/fields/field.tsx';
import { isComposing } from '../../ui/fields/is-composing.ts';
import { usernameTaken } from '../messages.ts';
import { type Availability, createUsernameCheck } from './username-check.ts';

type UsernameFieldProps = Omit<ComponentProps<'input'>, 'value'> & {
  /** Current text of the field. */
  value: string;
  error?: string | undefined;
  /** The user’s own username, which needs no check. */
  current?: string | undefined;
  /** Reports whether another user has the name, which makes the form invalid. */
  onTaken: (isTaken: boolean) => void;
};

/**
 * Shows while typing whether the username is available. It belongs to no form, because Firefox keeps the nearest field with
 * this label as the name of the account (`LoginHelper.isInferredUsernameField`), and a log-in asks for the email.
 */
export function UsernameField({ value, error, current, onTaken, ...input }: UsernameFieldProps) {
  const [availability, setAvailability] = useState<Availability>('unknown');
  const show = useEffectEvent((changed: Availability) => {
    setAvailability(changed);
    onTaken(changed === 'unavailable');
  });
  const check = useRef<ReturnType<typeof createUsernameCheck>>(undefined);
  useEffect(() => {
    const own = createUsernameCheck({ ask: askAvailability, onChange: (changed) => show(changed), current });
    check.current = own;
    return own.stop;
  }, [current]);
  useEffect(() => {
    const username = normalizeUsername(value);
    check.current?.change(username !== '' && isUsername(username) ? username : undefined);
  }, [current, value]);

  return (
    <Field
      label={t`Username`}
      form=""
      autoComplete="nickname"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={usernameLength}
      length={value.length}
      error={availability === 'unavailable' ? usernameTaken() : error}
      hint={
        <span className="text-success" aria-live="polite">
          {availability === 'available' && error === undefined ? t`Available` : ''}
        </span>
      }
      onKeyDown={(event) => {
        // As in a field of the form.
        if (event.key === 'Enter' && !isComposing(event))
          event.currentTarget.closest('form')?.querySelector<HTMLElement>('[type=submit]')?.click();
      }}
      {...input}
    />
  );
}

async function askAvailability(username: string, signal: AbortSignal): Promise<Exclude<Availability, 'checking'>> {
  const answer = await answerOf(api.auth.username[':username'].$get({ param: { username } }, { init: { signal } }));
  if (answer.ok) return 'available';
  return answer.code === 'auth/username-already-in-use' ? 'unavailable' : 'unknown';
}
