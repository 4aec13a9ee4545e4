import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import EyeOff from 'lucide-react/icons/eye-off';
import Flag from 'lucide-react/icons/flag';
import Scale from 'lucide-react/icons/scale';
import User from 'lucide-react/icons/user';
import type { LucideIcon } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { Link } from 'react-router';
import type { DeskNotice } from '#domain/admin/desk/notice.ts';
import { groundText, kindText } from '#domain/notices/wording-rules.ts';
import { formatDuration } from '#formats/durations.ts';
import { api } from '#web/api.ts';
import { Cover } from '#web/ui/images/cover.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { RecordingWaveform } from '#web/workshop/charts/recording-waveform.tsx';
import { type Moment, Timeline } from '#web/workshop/facts.tsx';
import { LocalTime } from '#web/workshop/local-time.tsx';
import { DecisionReasons } from '#web/community/decision-reasons.tsx';
import { StateMark } from '#web/workshop/state-mark.tsx';
import { useCall } from '../use-call.ts';
import { PerformersPane } from './performers.tsx';
import { noticeAddress } from './notice-queue.tsx';
import { decidedWords, subjectTitle } from './subject-words.ts';

/** The reported content, and what was written about it. @param props.sound played by key */
export function NoticeContent({ notice, sound }: { notice: DeskNotice; sound: RefObject<HTMLAudioElement | null> }) {
  const { subject, audio, performers, text, details, asked, facts } = notice;
  return (
    <div className="stack min-w-0">
      <section className="pane" aria-label={t`What the notice is about`}>
        <div className="flex flex-wrap items-center gap-4">
          {subject.imageUrl !== null && <Cover imageUrl={subject.imageUrl} size={56} />}
          <div className="min-w-0 flex-1">
            <h2 className="pane-title wrap-anywhere" dir="auto">
              {subjectTitle(subject)}
            </h2>
            <p className="text-13 text-muted">
              {subject.by !== null && <span dir="auto">{subject.by}</span>}
              {audio && <span className="dot tabular-nums">{formatDuration(audio.durationMs / 1000)}</span>}
              {!subject.isGone && (
                <Link className="link ms-2" to={subject.address} reloadDocument>
                  <Trans>Open page</Trans>
                </Link>
              )}
            </p>
          </div>
          <StateOf notice={notice} />
        </div>
        {audio && notice.subject.id !== null && <Sound notice={notice} sound={sound} />}
        {text !== null && (
          <p className="notice-quote mt-4" dir="auto">
            {text}
          </p>
        )}
      </section>
      {details.length > 0 && (
        <section aria-label={t`What was reported`}>
          <div className="workshop-section__head">
            <h2>
              <Trans>What was reported</Trans>
            </h2>
            <p>{kindText(notice.kind)}</p>
          </div>
          <div className="grid gap-3">
            {details.map((one) => (
              <div key={one.id}>
                <p className="notice-quote" dir="auto">
                  {one.text}
                </p>
                <p className="mt-1 text-13 text-muted">
                  <LocalTime at={one.createdAt} style="full" />
                  {notice.hasReporter && <span className="dot">{t`in good faith`}</span>}
                </p>
              </div>
            ))}
          </div>
          <FactsOf facts={facts} />
          {notice.hasReporter && <Reporter key={notice.id} id={notice.id} />}
          <FromSame notices={notice.fromSame} at={notice.createdAt} />
        </section>
      )}
      {performers && <PerformersPane performers={performers} />}
      {asked !== null && asked.answer !== null && (
        <section aria-label={t`The creator’s answer`}>
          <div className="workshop-section__head">
            <h2>
              <Trans>The creator’s answer</Trans>
            </h2>
            {asked.answeredAt !== null && (
              <p>
                <LocalTime at={asked.answeredAt} style="full" />
              </p>
            )}
          </div>
          <p className="notice-quote" dir="auto">
            {asked.answer}
          </p>
        </section>
      )}
      {notice.appeals.map((appeal) => (
        <section key={appeal.id} aria-label={t`Appeal`}>
          <div className="workshop-section__head">
            <h2>{appeal.side === 'reporter' ? t`Appeal of the reporter` : t`Appeal of the creator`}</h2>
            <p>
              <LocalTime at={appeal.createdAt} style="full" />
            </p>
          </div>
          <p className="notice-quote" dir="auto">
            {appeal.reasons}
          </p>
        </section>
      ))}
      <section aria-label={t`History`}>
        <div className="workshop-section__head">
          <h2>
            <Trans>History</Trans>
          </h2>
        </div>
        <Timeline label={t`History`} moments={momentsOf(notice)} />
      </section>
    </div>
  );
}

function StateOf({ notice: { hiddenAt, hiddenBy, isSettled, subject, audio } }: { notice: DeskNotice }) {
  if (subject.isGone || audio?.state === 'deleted') return <StateMark text={t`Deleted`} />;
  if (!isSettled && hiddenAt !== null)
    return (
      <StateMark icon={EyeOff} tone="bad" text={hiddenBy === 'overdue' ? t`Hid itself` : t`Hidden until decided`} />
    );
  return audio?.state === 'hidden' ? <StateMark icon={EyeOff} tone="bad" text={t`Hidden`} /> : null;
}

function Sound({ notice, sound }: { notice: DeskNotice; sound: RefObject<HTMLAudioElement | null> }) {
  const { audio, place, subject } = notice;
  if (audio === undefined) return null;
  const seconds = audio.durationMs / 1000;
  const percent = (at: number) => `${Math.min(100, (at / seconds) * 100)}%`;
  const cues = audio.cues ?? [];
  return (
    <>
      {audio.peaks !== null && (
        <div className="relative mt-4 h-18" dir="ltr">
          <RecordingWaveform peaks={audio.peaks} className="size-full" label={t`Waveform`} />
          {place && (
            <span
              className="absolute inset-y-0 border-x-2 border-accent bg-accent-soft/60"
              style={{ insetInlineStart: percent(place.from), width: percent(place.to - place.from) }}
            />
          )}
        </div>
      )}
      {place && (
        <p className="text-13 text-muted tabular-nums">
          {t`named: ${{ from: formatDuration(place.from) }} to ${{ to: formatDuration(place.to) }}`}
        </p>
      )}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- the transcript stands below */}
      <audio
        key={subject.id}
        ref={sound}
        className="mt-3 w-full"
        controls
        preload="none"
        src={`/media/audios/${subject.id}`}
      />
      {cues.length > 0 && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
        <ol className="notice-cues" tabIndex={0} aria-label={t`Transcript`}>
          {cues.map((cue) => (
            <li
              key={`${cue.start} ${cue.text}`}
              data-named={place !== undefined && cue.end > place.from && cue.start < place.to ? '' : undefined}
            >
              <span>{formatDuration(cue.start)}</span>
              <span dir="auto">{cue.text}</span>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

function FactsOf({ facts }: { facts: DeskNotice['facts'] }) {
  const rows = [
    [t`Country`, facts.country],
    [t`Law`, facts.law],
    [t`Work`, facts.work],
    [
      t({ message: 'Owner', context: 'copyright' }),
      facts.owner === undefined
        ? undefined
        : facts.owner === 'owner'
          ? t`The reporter`
          : t`The reporter acts for the owner`,
    ],
  ];
  return rows.map(([name, value]) =>
    value === undefined ? null : (
      <p key={name} className="mt-2 text-14">
        <span className="text-muted">{name}:</span> <span dir="auto">{value}</span>
      </p>
    ),
  );
}

/** Shown on request, which the log notes. */
function Reporter({ id }: { id: string }) {
  const { call, isBusy } = useCall();
  const [shown, setShown] = useState<{ name: string | null; email: string | null }>();
  async function show(): Promise<void> {
    const answer = await call('reporter', () => api.admin.notices[':id'].reporter.$post({ param: { id } }));
    if (answer !== undefined) setShown(answer.data);
  }
  return (
    <p className="mt-3 flex flex-wrap items-center gap-2 text-14 text-muted" aria-live="polite">
      <Icon of={EyeOff} size={16} />
      {shown === undefined ? (
        <>
          <Trans>Name and email are hidden.</Trans>
          <button type="button" className="link" disabled={isBusy} onClick={() => void show()}>
            <Trans>Show, and log it</Trans>
          </button>
        </>
      ) : (
        <span className="text-text">{[shown.name, shown.email].filter(Boolean).join(', ')}</span>
      )}
    </p>
  );
}

/** Other notices of this reporter or network, without saying whose they are. */
function FromSame({ notices, at }: { notices: DeskNotice['fromSame']; at: Date }) {
  const ofEmail = notices.filter(({ isSameEmail, createdAt }) => isSameEmail && createdAt < at);
  const reports = notices.filter(({ isSameNetwork }) => isSameNetwork).length + 1;
  return (
    <>
      {ofEmail.length > 0 && (
        <>
          <h3 className="mt-4 font-ui text-14 font-semibold tracking-normal">
            <Trans>Reported before, by the same email</Trans>
          </h3>
          <ul className="mt-1.5 grid gap-1 text-14">
            {ofEmail.slice(0, 5).map(({ id, number, subject, createdAt, verb }) => (
              <li key={id}>
                <Link className="link" to={noticeAddress(id)} dir="auto">
                  {subjectTitle(subject)}
                </Link>{' '}
                <span className="ms-1.5 text-13 text-muted">
                  {number}
                  <span className="dot">
                    <LocalTime at={createdAt} style="date" />
                  </span>
                  <span className="dot">
                    {verb === null ? t({ message: 'Open', context: 'notice' }) : decidedWords[verb]()}
                  </span>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      {reports > 1 && (
        <p className="mt-3 text-14 text-muted">
          {plural(reports, {
            // As `networkDays` has it.
            one: '# report from this network in 30 days',
            other: '# reports from this network in 30 days',
          })}
        </p>
      )}
    </>
  );
}

function momentsOf(notice: DeskNotice): Moment[] {
  const words: Record<string, { icon: LucideIcon; title: string; tone?: Moment['tone'] }> = {
    'notice.hide': { icon: EyeOff, tone: 'tone-bad', title: t`Hidden` },
    'notice.ask': { icon: User, title: t`Creator asked` },
    'notice.answer': { icon: User, title: t`Creator answered` },
    'notice.show-reporter': { icon: User, title: t`Name and email shown` },
    'notice.undo': { icon: Scale, title: t`Decision taken back` },
    'appeal.receive': { icon: Flag, title: t`Appeal received` },
  };
  const acts = notice.history.flatMap(({ id, action, at, by, after }): Moment[] => {
    const word = words[action];
    const verb = (after as { decision?: keyof typeof decidedWords | null } | null)?.decision ?? null;
    const title = word?.title ?? (verb === null ? undefined : t`Decided: ${{ decision: decidedWords[verb]() }}`);
    if (title === undefined) return [];
    const time = <LocalTime at={at} style="full" />;
    const shown = { key: id, icon: word?.icon ?? Scale, tone: word?.tone ?? undefined, title, at, time };
    return [by === null ? shown : { ...shown, note: t`By ${by}.` }];
  });
  const time = <LocalTime at={notice.createdAt} style="full" />;
  const last = notice.decisions.at(-1);
  return [
    ...(last === undefined || (last.canned === null && last.reasons === null)
      ? []
      : [
          {
            key: last.id,
            icon: Scale,
            tone: 'tone-accent' as const,
            title: groundText(last.ground, last.clause),
            at: last.createdAt,
            time: <LocalTime at={last.createdAt} style="full" />,
            note: <DecisionReasons decision={last} />,
          },
        ]),
    ...acts,
    {
      key: 'received',
      icon: Flag,
      title: t({ message: 'Received', context: 'report' }),
      at: notice.createdAt,
      time,
      note: plural(Math.max(1, notice.details.length), { one: '# report', other: '# reports' }),
    },
  ];
}
