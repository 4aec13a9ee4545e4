import { useId, useState } from 'react';
import type { AudioFacts } from '#domain/studio/editor.ts';
import { formatCountOf } from '../format.ts';
import { Button } from '../ui/button.tsx';
import { FieldError } from '../ui/field.tsx';
import { useToast } from '../ui/toast.tsx';
import { LocalTime, useTimeZone } from '../workshop/local-time.tsx';
import { formerPublication, setPublication } from './publication-calls.ts';
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
  const suggested = useSuggestedTime(audio.state === 'scheduled' ? audio.publishedAt : null, now);
  const at = localTime(day ?? suggested.day, clock ?? suggested.clock);
  const isOtherTime = choice === 'scheduled' && current === 'scheduled' && at?.toISOString() !== audio.publishedAt;
  // An unpublished audio can be published with one press.
  const offered: Choice = chosen === undefined && current === 'unpublished' ? 'published' : choice;
  const isChanged = offered !== current || isOtherTime;

  /** The fields show the stored time: another one than typed where clocks skip an hour. */
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
    if (publication === undefined) return setError('Choose a day and a time.');
    setBusy(true);
    const refusal = await onBefore(publication.state);
    const answer = refusal === undefined ? await setPublication(audio.id, publication) : undefined;
    setBusy(false);
    if (answer?.ok !== true) return setError(refusal ?? answer?.message);
    await onDone();
    reset();
    const back = formerPublication(audio);
    const texts = { published: 'Published', scheduled: 'Scheduled', unpublished: 'Unpublished' };
    showToast({
      text: texts[publication.state],
      kind: 'publication',
      action: {
        label: 'Undo',
        onPress: () =>
          void setPublication(audio.id, back).then((undone) => {
            showToast({ text: undone.ok ? 'Undone' : undone.message });
            return onDone();
          }),
      },
    });
  }

  const option = (value: Choice) => ({
    type: 'radio',
    className: 'rb',
    name,
    checked: choice === value,
    onChange: () => {
      setChosen(value);
      setError(undefined);
    },
  });
  const verbs = { published: 'Publish now', scheduled: 'Schedule', unpublished: 'Unpublish' };
  return (
    <section className="pn" aria-label="Publishing">
      <div className="pn__h mb-1">
        <h3>Publishing</h3>
      </div>
      <fieldset>
        <legend className="sr-only">Publishing</legend>
        <label className="opt">
          <input {...option('published')} />
          <b>Published</b>
          <small>
            {current === 'published' && audio.publishedAt !== null ? (
              <>
                Since <LocalTime iso={audio.publishedAt} now={now} style="day" />
              </>
            ) : audio.firstPublishedAt !== null ? (
              <>
                It keeps its first date, <LocalTime iso={audio.firstPublishedAt} now={now} style="day" />
              </>
            ) : (
              'Everyone can find it at once'
            )}
          </small>
        </label>
        <label className="opt">
          <input {...option('scheduled')} />
          <b>Schedule</b>
          <small>
            {choice === 'scheduled' && at !== undefined ? <Until at={at} now={now} /> : 'Choose a day and a time'}
          </small>
        </label>
        {choice === 'scheduled' && (
          <div className="two mb-2">
            <div className="fld">
              <label htmlFor={`${name}-day`}>Day</label>
              <input
                id={`${name}-day`}
                className="in in--d"
                type="date"
                value={day ?? suggested.day}
                onChange={({ target }) => setDay(target.value)}
              />
            </div>
            <div className="fld">
              <label htmlFor={`${name}-time`}>Time</label>
              <input
                id={`${name}-time`}
                className="in in--d"
                type="time"
                value={clock ?? suggested.clock}
                onChange={({ target }) => setClock(target.value)}
              />
            </div>
          </div>
        )}
        <label className="opt">
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
            <p className="t13 text-muted">{obstacle} to publish</p>
          )}
        </div>
      )}
    </section>
  );
}

/** In 2 days. Your time, Dublin. */
function Until({ at, now }: { at: Date; now: number }) {
  const zone = useTimeZone();
  const place = zone.split('/').at(-1)?.replaceAll('_', ' ');
  const minutes = Math.round((at.getTime() - now) / 60_000);
  if (minutes <= 0) return <>This time has passed. Your time, {place}</>;
  const hours = Math.round(minutes / 60);
  const until =
    minutes < 90
      ? formatCountOf(minutes, 'minute')
      : hours < 36
        ? formatCountOf(hours, 'hour')
        : formatCountOf(Math.round(hours / 24), 'day');
  return (
    <>
      In {until}. Your time, {place}
    </>
  );
}

/** Day and time of the fields in the creator's time zone: as scheduled, else tomorrow at 21:00. */
function useSuggestedTime(scheduled: string | null, now: number): { day: string; clock: string } {
  const timeZone = useTimeZone();
  const date = scheduled === null ? new Date(now + 86_400_000) : new Date(scheduled);
  const day = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone }).format(date);
  const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone });
  return { day, clock: scheduled === null ? '21:00' : clock.format(date) };
}

function localTime(day: string, clock: string): Date | undefined {
  const date = new Date(`${day}T${clock}`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
