import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Check from 'lucide-react/icons/check';
import EyeOff from 'lucide-react/icons/eye-off';
import Scale from 'lucide-react/icons/scale';
import Undo2 from 'lucide-react/icons/undo-2';
import User from 'lucide-react/icons/user';
import type { LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { noticeLengths } from '#domain/notices/rules.ts';
import type { NoticeState } from '#domain/notices/state.ts';
import { didText, groundText, headingOf, kindText } from '#domain/notices/wording-rules.ts';
import { formatDateTime } from '#formats/moments.ts';
import { formatDay } from '#formats/times.ts';
import { answerOf, api } from '../api.ts';
import { Button } from '../ui/button.tsx';
import { CheckBox } from '../ui/fields/check-box.tsx';
import { TextArea } from '../ui/fields/text-area.tsx';
import { Icon } from '../ui/images/icon.tsx';
import { Note } from '../ui/note.tsx';
import { DecisionReasons } from './decision-reasons.tsx';
import { ReportedContent } from './reported-content.tsx';

/** The private page of one side: the reporter’s, or that of the creator or user whose content was reported. */
export function NoticePage({ state, token }: { state: NoticeState; token: string }) {
  const { side, number, kind, subject, decision, appeal, asked, appealUntil, dueDay, isHidden } = state;
  const heading = headingOf({
    subject: subject.type,
    verb: appeal?.isOpen === true ? null : (decision?.verb ?? null),
    isHidden,
    isAppeal: appeal !== null,
  });
  const until = appealUntil === null ? '' : formatDay(appealUntil);
  return (
    <>
      <p className="eyebrow pt-6">
        <Trans>Report</Trans> <span className="dot">{number}</span>
      </p>
      <h1 className="text-44 mt-1.5" tabIndex={-1}>
        {heading}
      </h1>
      <p className="mt-2 text-18 text-muted">
        {decision === null
          ? dueDay !== null && t`A person decides by ${{ day: formatDay(dueDay) }}.`
          : state.canAppeal
            ? t`Decided on ${{ day: formatDay(decision.at) }}. You can appeal once, until ${until}.`
            : t`Decided on ${{ day: formatDay(decision.at) }}.`}
      </p>
      <div className="report">
        <div className="report__form">
          <ReportedContent {...subject} />
          <section aria-labelledby="notice-report">
            <h2 id="notice-report">{side === 'reporter' ? t`Your report` : t`What was reported`}</h2>
            <dl className="fact-list text-14">
              <dt>
                <Trans>Kind</Trans>
              </dt>
              <dd>{kindText(kind)}</dd>
              {state.work !== null && (
                <>
                  <dt>
                    <Trans>Work</Trans>
                  </dt>
                  <dd>{state.work}</dd>
                </>
              )}
              {state.claimant !== null && (
                <>
                  <dt>{t({ message: 'Owner', context: 'copyright' })}</dt>
                  <dd>{state.claimant}</dd>
                </>
              )}
              {state.details !== null && (
                <>
                  <dt>
                    <Trans>Details</Trans>
                  </dt>
                  <dd dir="auto">{state.details}</dd>
                </>
              )}
            </dl>
          </section>
          {decision !== null && (
            <section aria-labelledby="notice-decision">
              <h2 id="notice-decision">
                <Trans>Decision</Trans>
              </h2>
              <dl className="fact-list text-14">
                <dt>
                  <Trans>What we did</Trans>
                </dt>
                <dd>{didText(decision.verb)}</dd>
                <dt>
                  <Trans>Why</Trans>
                </dt>
                <dd>
                  <DecisionReasons decision={decision} />
                </dd>
                <dt>
                  <Trans>Ground</Trans>
                </dt>
                <dd>{groundText(decision.ground, decision.clause)}</dd>
                <dt>
                  <Trans>Decided by</Trans>
                </dt>
                <dd>
                  <Trans>A person. No automatic means were used.</Trans>
                </dd>
              </dl>
            </section>
          )}
          {side === 'owner' && asked !== null && decision === null && (
            <Reply
              title={t`Your answer`}
              text={t`Before we decide, we would like to hear from you.`}
              verb={asked.answer === null ? t`Send answer` : t`Send another answer`}
              sent={asked.answer}
              action={`/report/${token}/answer`}
              send={(reasons) => answerOf(api.notices[':token'].answer.$post({ param: { token }, json: { reasons } }))}
              isOpen
            />
          )}
          {(state.canAppeal || appeal !== null) && (
            <Reply
              title={t`Your appeal`}
              text={t`Someone who did not take part in the decision reads it. Say what we got wrong, or add what we did not know.`}
              verb={t`Send appeal`}
              sent={appeal?.reasons ?? null}
              action={`/report/${token}/appeal`}
              send={(reasons) => answerOf(api.notices[':token'].appeal.$post({ param: { token }, json: { reasons } }))}
              isOpen={state.canAppeal}
              asksFaith
            />
          )}
        </div>
        <div className="report__form">
          <History state={state} />
          <section className="report__panel">
            <h2>
              <Trans>If you do not agree with us</Trans>
            </h2>
            <p className="text-14 text-soft">
              <Trans>You can also turn to a certified out-of-court body, or to a court.</Trans>
            </p>
          </section>
        </div>
      </div>
    </>
  );
}

type ReplyProps = {
  title: string;
  text: string;
  verb: string;
  /** Shown in place of the form, or above it. */
  sent: string | null;
  action: string;
  send(reasons: string): Promise<{ ok: true } | { ok: false; message: string }>;
  isOpen: boolean;
  asksFaith?: boolean;
};

function Reply({ title, text, verb, sent, action, send, isOpen, asksFaith = false }: ReplyProps) {
  const [reasons, setReasons] = useState('');
  const [failure, setFailure] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const { revalidate } = useRevalidator();
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {sent !== null && (
        <p className="whitespace-pre-line text-15 leading-[1.55] wrap-anywhere" dir="auto">
          {sent}
        </p>
      )}
      {isOpen && (
        <>
          <p className="text-14 text-muted">{text}</p>
          <form
            className="form"
            method="post"
            action={action}
            onSubmit={async (event) => {
              event.preventDefault();
              setIsBusy(true);
              const answer = await send(reasons);
              setIsBusy(false);
              setFailure(answer.ok ? undefined : answer.message);
              if (answer.ok) await revalidate();
            }}
          >
            {failure !== undefined && <Note tone="error">{failure}</Note>}
            <TextArea
              label={t`Your reasons`}
              name="reasons"
              rows={5}
              required
              maxLength={noticeLengths.details}
              value={reasons}
              onChange={(event) => setReasons(event.target.value)}
            />
            {asksFaith && (
              <CheckBox name="goodFaith" required>{t`What I write is correct and complete, in good faith.`}</CheckBox>
            )}
            <div>
              <Button type="submit" variant="primary" busy={isBusy ? t`Sending…` : undefined}>
                {verb}
              </Button>
            </div>
          </form>
        </>
      )}
    </section>
  );
}

function History({ state }: { state: NoticeState }) {
  const { receivedAt, email, hiddenAt, hiddenBy, asked, decision, appeal, appealUntil, canAppeal } = state;
  const moments: ({ icon: LucideIcon; title: string; time: string; note?: string | undefined } | false | null)[] = [
    {
      icon: Check,
      title: t({ message: 'Received', context: 'report' }),
      time: formatDateTime(receivedAt, 'UTC'),
      note: email === null ? undefined : t`Receipt sent to ${email}.`,
    },
    hiddenAt !== null && {
      icon: EyeOff,
      title: t`Hidden`,
      time: formatDateTime(hiddenAt, 'UTC'),
      note: hiddenBy === 'overdue' ? t`It was not decided in time.` : t`Until it is decided.`,
    },
    asked && {
      icon: User,
      title: t`Creator was asked`,
      time: formatDateTime(asked.at, 'UTC'),
      note: asked.answeredAt === null ? undefined : t`Answered on ${{ day: formatDay(asked.answeredAt) }}.`,
    },
    decision && {
      icon: Scale,
      title: t`Decided`,
      time: formatDateTime(decision.at, 'UTC'),
      note: t`Both sides were told.`,
    },
    appeal && { icon: Undo2, title: t`Appeal`, time: formatDateTime(appeal.at, 'UTC') },
    canAppeal &&
      appealUntil !== null && {
        icon: Undo2,
        title: t`Appeal`,
        time: t`until ${{ day: formatDay(appealUntil) }}`,
        note: t`Once.`,
      },
  ];
  return (
    <section className="report__panel" aria-labelledby="notice-history">
      <h2 id="notice-history">
        <Trans>History</Trans>
      </h2>
      <ol className="report__history">
        {moments.map(
          (moment) =>
            moment && (
              <li key={moment.title + moment.time}>
                <span>
                  <Icon of={moment.icon} size={16} />
                </span>
                <b>{moment.title}</b>
                <time>{moment.time}</time>
                {moment.note !== undefined && <small>{moment.note}</small>}
              </li>
            ),
        )}
      </ol>
    </section>
  );
}
