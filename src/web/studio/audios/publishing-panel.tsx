import { useId, useState } from 'react';
import type { AudioFacts } from '#domain/studio/audios/audio-facts.ts';
import { countOf } from '#formats/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { FieldError } from '../../ui/fields/field.tsx';
import { useToast } from '../../ui/layers/toast.tsx';
import { LocalTime, useTimeZone } from '../../workshop/local-time.tsx';
import { placeOf, readScheduledTime } from '../../workshop/forms/scheduled-time.ts';
import { addDays, clockAt, dayAt } from '#formats/zones.ts';
import { noticeWithUndo, setPublication } from './publication-calls.ts';
import type { Publication } from './publication-calls.ts';

type Choice = Publication['state'];

type PublishingPanelProps = {
  audio: AudioFacts;
  /** The server's time in milliseconds. */
  now: number;
  /** Reason why it cannot be published. */
  obstacle: string | undefined;
  /** Saves pending input. @returns the error message, if any */
  onBefore: (choice: Choice) => Promise<string | undefined>;
  /** Reloads the audio. */
  onDone: () => Promise<void>;
};

/** Publishes now, at a time, or not. A choice takes effect with its button, so that arrow keys publish nothing. */
export function PublishingPanel({ audio, now, obstacle, onBefore, onDone }: PublishingPanelProps) {
  const name = useId();
  const showToast = useToast();
  const current: Choice = audio.state === 'published' || audio.state === 'scheduled' ? audio.state : 'unpublished';
  const [chosen, setChosen] = useState<Choice>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [day, setDay] = useState<string>();
  const [clock, setClock] = useState<string>();
  const choice = chosen ?? current;
  const zone = useTimeZone();
  const stored = audio.state === 'scheduled' ? audio.publishedAt : null;
  const suggested = suggestTime(stored, now, zone);
  const typed = { day: day ?? suggested.day, clock: clock ?? suggested.clock };
  const time = zone === undefined ? undefined : readScheduledTime(typed, zone, stored);
  const at = time?.at;
  const isOtherTime = choice === 'scheduled' && stored !== null && time !== undefined && at?.toISOString() !== stored;
  // An unpublished audio can be published with one press.
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
    const publication: Publication | undefined =
      offered !== 'scheduled'
        ? { state: offered }
        : at === undefined
          ? undefined
          : { state: 'scheduled', at: at.toISOString() };
    if (publication === undefined) return setError(time !== undefined && 'fault' in time ? time.fault : undefined);
    setBusy(true);
    const refusal = await onBefore(publication.state);
    const answer = refusal === undefined ? await setPublication(audio.id, publication) : undefined;
    setBusy(false);
    if (answer?.ok !== true) return setError(refusal ?? answer?.message);
    await onDone();
    reset();
    const texts = { published: 'Published', scheduled: 'Scheduled', unpublished: 'Unpublished' };
    noticeWithUndo(texts[publication.state], audio, { showToast, onUndone: onDone });
  }

  const option = (value: Choice) => ({
    type: 'radio',
    className:
      'forced-colors:border forced-colors:border-[ButtonBorder] forced-colors:checked:border-6 forced-colors:checked:border-[Highlight] appearance-none size-5 m-0 flex-none bg-bg [box-shadow:inset_0_0_0_1.5px_var(--control-line)] inline-grid place-items-center cursor-pointer rounded-full checked:[box-shadow:inset_0_0_0_6px_var(--accent)]',
    name,
    checked: choice === value,
    onChange: () => {
      setChosen(value);
      setError(undefined);
    },
  });
  const verbs = { published: 'Publish now', scheduled: 'Schedule', unpublished: 'Unpublish' };
  return (
    <section className="pane" aria-label="Publishing">
      <div className="pane__head mb-1">
        <h3>Publishing</h3>
      </div>
      <fieldset>
        <legend className="sr-only">Publishing</legend>
        <label className="option">
          <input {...option('published')} />
          <b>Published</b>
          <small>
            {current === 'published' && audio.publishedAt !== null ? (
              <>
                Since <LocalTime at={audio.publishedAt} style="full" />
              </>
            ) : audio.firstPublishedAt !== null ? (
              <>
                It keeps its first date, <LocalTime at={audio.firstPublishedAt} style="full" />
              </>
            ) : (
              'Everyone can find it at once'
            )}
          </small>
        </label>
        <label className="option">
          <input {...option('scheduled')} />
          <b>Schedule</b>
          <small>
            {choice === 'scheduled' && at !== undefined && zone !== undefined ? (
              <Until at={at} now={now} zone={zone} />
            ) : (
              'Choose a day and a time'
            )}
          </small>
        </label>
        {choice === 'scheduled' && (
          <div className="field-pair mb-2">
            <div className="field">
              <label htmlFor={`${name}-day`}>Day</label>
              <input
                id={`${name}-day`}
                className="input input--dense"
                type="date"
                value={typed.day}
                onChange={({ target }) => setDay(target.value)}
              />
            </div>
            <div className="field">
              <label htmlFor={`${name}-time`}>Time</label>
              <input
                id={`${name}-time`}
                className="input input--dense"
                type="time"
                value={typed.clock}
                onChange={({ target }) => setClock(target.value)}
              />
            </div>
          </div>
        )}
        {choice === 'scheduled' && time !== undefined && 'note' in time && <p className="hint mb-2">{time.note}</p>}
        <label className="option">
          <input {...option('unpublished')} />
          <b>Not published</b>
          <small>Only its managers and the operators see it</small>
        </label>
      </fieldset>
      {error !== undefined && <FieldError>{error}</FieldError>}
      {isChanged && (
        <div className="mt-3 flex flex-wrap items-center gap-2">
          <Button
            variant="primary"
            size="sm"
            busy={busy ? 'Saving' : undefined}
            disabled={offered !== 'unpublished' && obstacle !== undefined}
            onClick={() => void apply()}
          >
            {verbs[offered]}
          </Button>
          {(chosen !== undefined || isOtherTime) && (
            <Button variant="ghost" size="sm" onClick={reset}>
              Cancel
            </Button>
          )}
          {offered !== 'unpublished' && obstacle !== undefined && (
            <p className="text-13 text-muted">{obstacle} to publish</p>
          )}
        </div>
      )}
    </section>
  );
}

/** In 2 days. Your time, Dublin. */
function Until({ at, now, zone }: { at: Date; now: number; zone: string }) {
  const place = placeOf(zone);
  const minutes = Math.round((at.getTime() - now) / 60_000);
  if (minutes <= 0) return <>This time has passed. Your time, {place}</>;
  const hours = Math.round(minutes / 60);
  const until =
    minutes < 90
      ? countOf(minutes, 'minute')
      : hours < 36
        ? countOf(hours, 'hour')
        : countOf(Math.round(hours / 24), 'day');
  return (
    <>
      In {until}. Your time, {place}
    </>
  );
}

/** Day and time of the fields: as scheduled, else tomorrow at 21:00. Empty while the creator's zone is not known. */
function suggestTime(scheduled: string | null, now: number, zone: string | undefined): { day: string; clock: string } {
  if (zone === undefined) return { day: '', clock: '' };
  if (scheduled === null) return { day: addDays(dayAt(now, zone), 1), clock: '21:00' };
  return { day: dayAt(scheduled, zone), clock: clockAt(scheduled, zone) };
}
