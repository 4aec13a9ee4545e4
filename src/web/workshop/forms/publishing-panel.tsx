import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type ReactNode, useId, useState } from 'react';
import type { Instant } from '#formats/times.ts';
import { addDays, clockAt, dayAt } from '#formats/zones.ts';
import { Button } from '../../ui/button.tsx';
import { FieldError } from '../../ui/fields/field.tsx';
import { LocalTime, useTimeZone } from '../local-time.tsx';
import { RadioOption } from './radio-option.tsx';
import { placeOf, readScheduledTime } from './scheduled-time.ts';

export type Publication = { state: 'published' } | { state: 'scheduled'; at: string } | { state: 'unpublished' };
type Choice = Publication['state'];

/** Notices of an act. */
export const publicationNotices = (): Record<Choice, string> => ({
  published: t`Published`,
  scheduled: t`Scheduled`,
  unpublished: t`Unpublished`,
});

/** As Admin's calls name it. */
export function publicationTime(publication: Publication): string | null {
  if (publication.state === 'scheduled') return publication.at;
  return publication.state === 'published' ? 'now' : null;
}

type PublishingPanelProps = {
  state: string;
  publishedAt: Instant | null;
  /** Publishing again restores this date. */
  firstPublishedAt?: Instant | null;
  /** Says who sees it while it is not published, such as `Only operators see it`. */
  seenBy: string;
  /** The server's time in milliseconds. */
  now: number;
  /** Reason why it cannot be published. */
  obstacle?: string | undefined;
  /** @returns whether it was done, or the error message */
  onPublish: (publication: Publication) => Promise<boolean | string>;
};

/** Publishes now, at a time, or not. A choice takes effect with its button, so that arrow keys publish nothing. */
export function PublishingPanel(props: PublishingPanelProps) {
  const { state, publishedAt, firstPublishedAt = null, seenBy, now, obstacle, onPublish } = props;
  const name = useId();
  const current: Choice = state === 'published' || state === 'scheduled' ? state : 'unpublished';
  const [chosen, setChosen] = useState<Choice>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [day, setDay] = useState<string>();
  const [clock, setClock] = useState<string>();
  const choice = chosen ?? current;
  const zone = useTimeZone();
  const stored = current === 'scheduled' && publishedAt !== null ? new Date(publishedAt).toISOString() : null;
  const suggested = suggestTime(stored, now, zone);
  const typed = { day: day ?? suggested.day, clock: clock ?? suggested.clock };
  const time = zone === undefined ? undefined : readScheduledTime(typed, zone, stored);
  const at = time?.at;
  const isOtherTime = choice === 'scheduled' && stored !== null && time !== undefined && at?.toISOString() !== stored;
  // A draft can be published with one press.
  const offered: Choice = chosen === undefined && current === 'unpublished' ? 'published' : choice;
  const isChanged = offered !== current || isOtherTime;

  /** The fields show the stored time. */
  function reset(): void {
    setChosen(undefined);
    setDay(undefined);
    setClock(undefined);
  }

  async function apply(): Promise<void> {
    setError(undefined);
    let publication: Publication;
    if (offered === 'scheduled') {
      if (at === undefined) return setError(time !== undefined && 'fault' in time ? time.fault : undefined);
      if (at.getTime() <= now) return setError(t`Choose a time in the future.`);
      publication = { state: 'scheduled', at: at.toISOString() };
    } else publication = { state: offered };
    setBusy(true);
    const outcome = await onPublish(publication);
    setBusy(false);
    if (outcome === true) reset();
    else if (outcome !== false) setError(outcome);
  }

  const option = (value: Choice, label: string, note: ReactNode) => (
    <RadioOption
      name={name}
      label={label}
      note={note}
      checked={choice === value}
      onChoose={() => {
        setChosen(value);
        setError(undefined);
      }}
    />
  );
  const field = (label: string, type: 'date' | 'time', value: string, onChange: (value: string) => void) => (
    <div className="field">
      <label htmlFor={`${name}-${type}`}>{label}</label>
      <input
        id={`${name}-${type}`}
        className="input input--dense"
        type={type}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  );
  const verbs = {
    published: t`Publish now`,
    scheduled: t({ message: 'Schedule', context: 'verb' }),
    unpublished: current === 'scheduled' ? t`Cancel schedule` : t`Unpublish`,
  };
  return (
    <section className="pane" aria-label={t`Publishing`}>
      <div className="pane__head mb-1">
        <h3>
          <Trans>Publishing</Trans>
        </h3>
      </div>
      <fieldset>
        <legend className="sr-only">
          <Trans>Publishing</Trans>
        </legend>
        {option(
          'published',
          t`Published`,
          current === 'published' && publishedAt !== null ? (
            <Trans>
              Since <LocalTime at={publishedAt} style="full" />
            </Trans>
          ) : firstPublishedAt !== null ? (
            <Trans>
              It keeps its first date, <LocalTime at={firstPublishedAt} style="full" />
            </Trans>
          ) : (
            t`Everyone can find it at once`
          ),
        )}
        {option(
          'scheduled',
          t({ message: 'Schedule', context: 'verb' }),
          choice === 'scheduled' && at !== undefined && zone !== undefined
            ? untilText(at, now, zone)
            : t`Choose a day and a time`,
        )}
        {choice === 'scheduled' && (
          <div className="field-pair mb-2">
            {field(t`Day`, 'date', typed.day, setDay)}
            {field(t`Time`, 'time', typed.clock, setClock)}
          </div>
        )}
        {choice === 'scheduled' && time !== undefined && 'note' in time && <p className="hint mb-2">{time.note}</p>}
        {option('unpublished', t`Not published`, seenBy)}
      </fieldset>
      {error !== undefined && <FieldError>{error}</FieldError>}
      {isChanged && (
        <div className="mt-3 flex flex-wrap items-center gap-2">
          <Button
            variant="primary"
            size="sm"
            busy={busy ? t`Saving…` : undefined}
            disabled={offered !== 'unpublished' && obstacle !== undefined}
            onClick={() => void apply()}
          >
            {verbs[offered]}
          </Button>
          {(chosen !== undefined || isOtherTime) && (
            <Button variant="ghost" size="sm" onClick={reset}>
              {t`Cancel`}
            </Button>
          )}
          {offered !== 'unpublished' && obstacle !== undefined && (
            <p className="text-13 text-muted">
              <Trans>{obstacle} to publish</Trans>
            </p>
          )}
        </div>
      )}
    </section>
  );
}

/** In 2 days. Your time, Dublin. */
function untilText(at: Date, now: number, zone: string): string {
  const minutes = Math.round((at.getTime() - now) / 60_000);
  const place = placeOf(zone);
  if (minutes <= 0) return t`This time has passed. Your time, ${place}`;
  if (minutes < 90) return t`In ${plural(minutes, { one: '# minute', other: '# minutes' })}. Your time, ${place}`;
  const hours = Math.round(minutes / 60);
  if (hours < 36) return t`In ${plural(hours, { one: '# hour', other: '# hours' })}. Your time, ${place}`;
  const days = Math.round(hours / 24);
  return t`In ${plural(days, { one: '# day', other: '# days' })}. Your time, ${place}`;
}

/** Day and time of the fields: as scheduled, else tomorrow at 21:00. Empty while the reader's zone is not known. */
function suggestTime(scheduled: string | null, now: number, zone: string | undefined): { day: string; clock: string } {
  if (zone === undefined) return { day: '', clock: '' };
  if (scheduled === null) return { day: addDays(dayAt(now, zone), 1), clock: '21:00' };
  return { day: dayAt(scheduled, zone), clock: clockAt(scheduled, zone) };
}
