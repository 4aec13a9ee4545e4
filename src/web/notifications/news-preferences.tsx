import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { browserTimeZone } from '#formats/zones.ts';
import { type ReactNode, type Ref, useEffect, useId, useRef, useState } from 'react';
import { type NewsPreferences, emailModes, findQuietHoursFault, newsKinds } from '#domain/notifications/rules.ts';
import { answerOf, api } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { CheckBox } from '../ui/fields/check-box.tsx';
import { classNames } from '../ui/class-names.ts';
import { FieldError } from '../ui/fields/field.tsx';
import { useToast } from '../ui/layers/toast.tsx';
import { type PushState, findPushState, turnPushOff, turnPushOn } from './push-browser.ts';

const modeLabels = {
  off: () => t`Off`,
  'at-once': () => t`Immediately`,
  daily: () => t`Once a day`,
  weekly: () => t`Once a week`,
};
const kindLabels = {
  'new-audio': () => t`New audios`,
  reply: () => t`Replies to your comments, and hearts`,
  'gift-card': () => t`Gift cards`,
  payment: () => t`Payments`,
};
const weekdays = () => [t`Sunday`, t`Monday`, t`Tuesday`, t`Wednesday`, t`Thursday`, t`Friday`, t`Saturday`];
const hours = Array.from({ length: 24 }, (_, hour) => hour);
const hourLabel = (hour: number) => `${String(hour).padStart(2, '0')}:00`;
const defaultQuiet = { from: 22, until: 8 };

type Props = { start: NewsPreferences; pushKey: string };

/** Preferences for news. Saved with one button, because quiet hours take several choices. */
export function NewsPreferencesForm({ start, pushKey }: Props) {
  const showToast = useToast();
  const [topicsId, quietId] = [useId(), useId()];
  const quietUntil = useRef<HTMLSelectElement>(null);
  const [chosen, setChosen] = useState(start);
  const [saved, setSaved] = useState(start);
  const [isBusy, setIsBusy] = useState(false);
  const [push, setPush] = useState<PushState>();
  const change = (changes: Partial<NewsPreferences>) => setChosen((before) => ({ ...before, ...changes }));
  const isDigest = chosen.email === 'daily' || chosen.email === 'weekly';
  const fault = chosen.quiet === null ? undefined : findQuietHoursFault(chosen.quiet);
  const isSent = chosen.email !== 'off' || chosen.isPushOn;

  useEffect(() => void findPushState(pushKey).then(setPush), [pushKey]);

  async function send(preferences: NewsPreferences) {
    setIsBusy(true);
    // The times are in the time zone of this browser.
    const json = { ...preferences, timeZone: browserTimeZone() };
    const answer = await answerOf(api.user['notification-preferences'].$put({ json }));
    setIsBusy(false);
    if (answer.ok) setSaved(answer.data);
    return answer;
  }

  async function save(): Promise<void> {
    const answer = await send(chosen);
    if (answer.ok) setChosen(answer.data);
    showToast({ text: answer.ok ? t`Saved` : answer.message });
  }

  async function togglePush(isOn: boolean): Promise<void> {
    if (!isOn) {
      await turnPushOff();
      return setPush('off');
    }
    const { state, problem } = await turnPushOn(pushKey);
    setPush(state);
    if (problem !== undefined) showToast({ text: problem });
    // Takes effect at once, like the registration; the other choices wait for Save.
    if (state !== 'on' || saved.isPushOn) return;
    const answer = await send({ ...saved, isPushOn: true });
    if (answer.ok) change({ isPushOn: true });
    else showToast({ text: answer.message });
  }

  return (
    <form
      className="noscript:hidden mt-4 grid max-w-[560px] gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        if (fault !== undefined) quietUntil.current?.focus();
        else if (!isBusy) void save();
      }}
    >
      <div className="grid gap-4 md:grid-cols-2">
        <Choice
          label={t`Email`}
          value={chosen.email}
          options={emailModes.map((mode) => [mode, modeLabels[mode]()])}
          onChoose={(email) => change({ email: emailModes.find((mode) => mode === email) ?? 'off' })}
        />
        {isDigest && (
          <Choice
            label={t({ message: 'At', context: 'hour' })}
            value={chosen.digestHour}
            options={hours.map((hour) => [hour, hourLabel(hour)])}
            onChoose={(hour) => change({ digestHour: Number(hour) })}
          />
        )}
        {chosen.email === 'weekly' && (
          <Choice
            label={t({ message: 'On', context: 'weekday' })}
            value={chosen.digestWeekday}
            options={weekdays().map((name, day) => [day, name])}
            onChoose={(day) => change({ digestWeekday: Number(day) })}
          />
        )}
      </div>
      <fieldset className="grid gap-3">
        <legend className="mb-2 p-0 font-semibold">
          <Trans>Push notifications</Trans>
        </legend>
        {push === 'unsupported' || pushKey === '' ? (
          <p className="text-14 text-muted">
            {pushKey === ''
              ? t`Push notifications are not set up on this site.`
              : t`This browser has no push notifications.`}
          </p>
        ) : (
          <CheckBox
            checked={push === 'on'}
            disabled={push === undefined || push === 'blocked'}
            onChange={(event) => void togglePush(event.target.checked)}
          >
            {t`In this browser`}
          </CheckBox>
        )}
        {pushKey !== '' && (saved.isPushOn || push === 'on') && (
          <CheckBox checked={chosen.isPushOn} onChange={(event) => change({ isPushOn: event.target.checked })}>
            {t`In all browsers of this account. Off: none of them gets any`}
          </CheckBox>
        )}
        {push === 'blocked' && (
          <p className="text-14 text-muted">
            <Trans>This browser blocks notifications from this site. Allow them in its settings first.</Trans>
          </p>
        )}
        <CheckBox checked={chosen.showsTitles} onChange={(event) => change({ showsTitles: event.target.checked })}>
          {t`Show titles. Off: “Something new is waiting”`}
        </CheckBox>
      </fieldset>
      {isSent && (
        <fieldset className="grid gap-3" aria-describedby={topicsId}>
          <legend className="mb-2 font-semibold">
            <Trans>Tell me about</Trans>
          </legend>
          {newsKinds.map((kind) => (
            <CheckBox
              key={kind}
              checked={!chosen.mutedKinds.includes(kind)}
              onChange={({ target }) => {
                const others = chosen.mutedKinds.filter((muted) => muted !== kind);
                change({ mutedKinds: target.checked ? others : [...others, kind] });
              }}
            >
              {kindLabels[kind]()}
            </CheckBox>
          ))}
          <p id={topicsId} className="text-14 text-muted">
            <Trans>
              “Gift cards” and “Payments” change push notifications only. Their emails, such as receipts and failed
              payments, are always sent.
            </Trans>
          </p>
        </fieldset>
      )}
      {(isSent || fault !== undefined) && (
        <fieldset className="grid gap-3">
          <legend className="mb-2 font-semibold">
            <Trans>Quiet hours</Trans>
          </legend>
          <CheckBox
            checked={chosen.quiet !== null}
            onChange={(event) => change({ quiet: event.target.checked ? defaultQuiet : null })}
          >
            {t`Pause notifications at set hours; you get them afterwards`}
          </CheckBox>
          {chosen.quiet !== null && (
            <div className="grid grid-cols-2 gap-4">
              <Choice
                label={t({ message: 'From', context: 'hour' })}
                describedBy={fault && quietId}
                value={chosen.quiet.from}
                options={hours.map((hour) => [hour, hourLabel(hour)])}
                onChoose={(hour) => change({ quiet: { from: Number(hour), until: chosen.quiet?.until ?? 8 } })}
              />
              <Choice
                label={t({ message: 'Until', context: 'hour' })}
                describedBy={fault && quietId}
                ref={quietUntil}
                value={chosen.quiet.until}
                options={hours.map((hour) => [hour, hourLabel(hour)])}
                onChoose={(hour) => change({ quiet: { from: chosen.quiet?.from ?? 22, until: Number(hour) } })}
              />
            </div>
          )}
          {fault !== undefined && <FieldError id={quietId}>{fault}</FieldError>}
        </fieldset>
      )}
      <div>
        <Button
          type="submit"
          variant="primary"
          busy={isBusy ? t`Saving…` : undefined}
          aria-disabled={fault !== undefined}
        >
          {t`Save`}
        </Button>
      </div>
    </form>
  );
}

function Choice<Value extends string | number>({
  label,
  value,
  options,
  onChoose,
  describedBy,
  ref,
}: {
  label: string;
  value: Value;
  options: [value: Value, label: ReactNode][];
  onChoose: (value: string) => void;
  /** Id of the error of this choice. */
  describedBy?: string | undefined;
  ref?: Ref<HTMLSelectElement>;
}) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        ref={ref}
        id={id}
        className={classNames('input', describedBy !== undefined && 'input--error')}
        aria-invalid={describedBy !== undefined || undefined}
        aria-describedby={describedBy}
        value={value}
        onChange={({ target }) => onChoose(target.value)}
      >
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
