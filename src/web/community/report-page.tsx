import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Clock from 'lucide-react/icons/clock';
import EyeOff from 'lucide-react/icons/eye-off';
import Mail from 'lucide-react/icons/mail';
import MessageSquareText from 'lucide-react/icons/message-square-text';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import {
  type NoticeKind,
  type ReportField,
  type ReportFields,
  asksFor,
  faultsOf,
  noticeKinds,
  noticeLengths,
  reportFields,
} from '#domain/notices/rules.ts';
import type { OwnReport } from '#domain/notices/earlier.ts';
import type { Subject } from '#domain/notices/subjects.ts';
import { formatDate } from '#formats/times.ts';
import { answerOf, api } from '../api.ts';
import type { SentForm } from '../context.ts';
import { useRootData } from '../root-data.ts';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { CheckBox } from '../ui/fields/check-box.tsx';
import { Field, FieldError } from '../ui/fields/field.tsx';
import { TextArea } from '../ui/fields/text-area.tsx';
import { Icon } from '../ui/images/icon.tsx';
import { Note } from '../ui/note.tsx';
import { ReportedContent } from './reported-content.tsx';

const kindTexts: Record<NoticeKind, () => [title: string, note?: string]> = {
  illegal: () => [t`It is illegal`, t`Under a law that you name below.`],
  consent: () => [t`A person who is heard did not agree`, t`To be recorded, or to be published here.`],
  minor: () => [t`A minor is heard or described`, t`You need not give your name or email.`],
  copyright: () => [t`It infringes a copyright`, t`The text, the translation or the recording.`],
  rights: () => [t`It violates my rights in another way`, t`Such as my name, my privacy or my good name.`],
  rules: () => [t`It is against the rules of this site`],
};

const faultTexts: Record<ReportField, () => string> = {
  about: () => t`Enter the address of something on this site`,
  kind: () => t`Choose what is wrong`,
  country: () => t`Enter whose law it is`,
  law: () => t`Enter the law`,
  work: () => t`Enter whose work it is`,
  owner: () => t`Say whether you are the owner`,
  details: () => t`Say what you heard or read`,
  name: () => t`Enter your name`,
  email: () => t`Enter a valid email address`,
  goodFaith: () => t`Needed for a report`,
};

type ReportPageProps = { about: string; subject: Subject | null; own: OwnReport | null; form: SentForm | null };

/** The form posts without JavaScript, too; then the page comes back with what was written. */
export function ReportPage({ about, subject, own, form }: ReportPageProps) {
  const { user } = useRootData() ?? {};
  const navigate = useNavigate();
  const values = form?.values ?? {};
  const [faults, setFaults] = useState<readonly string[]>(form?.faults ?? []);
  const [failure, setFailure] = useState(form?.failure);
  const [isBusy, setIsBusy] = useState(false);
  const [kind, setKind] = useState(values['kind'] ?? '');
  const [length, setLength] = useState([...(values['details'] ?? '')].length);
  const [isChanging, setIsChanging] = useState(false);
  const summary = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (faults.length > 0) summary.current?.focus();
  }, [faults]);
  const errorOf = (field: ReportField) => (faults.includes(field) ? faultTexts[field]() : undefined);
  const isNamed = subject !== null && !isChanging && !faults.includes('about');
  /** Without JavaScript, all are there. */
  const partOf = (field: ReportField) => (asksFor(field, kind) ? undefined : 'hidden flex-col noscript:flex');

  async function send(sent: ReportFields): Promise<void> {
    const missing = faultsOf(sent);
    setFaults(missing);
    setFailure(undefined);
    if (missing.length > 0) return;
    setIsBusy(true);
    const answer = await answerOf(api.notices.$post({ json: sent }));
    setIsBusy(false);
    if (answer.ok) return void navigate(`/report/${answer.data.token}?received=1`);
    if (answer.code === 'notice/incomplete') setFaults(['about']);
    else setFailure(answer.message);
  }

  return (
    <>
      <h1 className="text-44 pt-6" tabIndex={-1}>
        <Trans>Report content</Trans>
      </h1>
      <p className="mt-2 text-18 text-muted">
        <Trans>No account needed.</Trans>
      </p>
      <div className="report">
        <form
          className="report__form"
          method="post"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            const data = new FormData(event.currentTarget);
            const read = (name: ReportField) => String(data.get(name) ?? '');
            void send(Object.fromEntries(reportFields.map((name) => [name, read(name)])) as ReportFields);
          }}
        >
          {(faults.length > 0 || failure !== undefined) && (
            <div ref={summary} tabIndex={-1}>
              <Note tone="error">
                {failure ??
                  t`The report was not sent. ${plural(faults.length, { one: 'One field needs you', other: '# fields need you' })}, what you wrote is still here.`}
              </Note>
            </div>
          )}
          {own !== null && !isChanging && (
            <Note tone="info">
              {t`You reported this on ${{ day: formatDate(own.at) }}, number ${{ number: own.number }}.`}{' '}
              <Link className="link" to={`/report/${own.token}`}>
                <Trans>Open that report</Trans>
              </Link>
            </Note>
          )}
          <div>
            <h2>
              <Trans>What is it about?</Trans>
            </h2>
            {isNamed ? (
              <ReportedContent
                type={subject.type}
                name={subject.name}
                by={subject.by}
                imageUrl={subject.imageUrl}
                durationMs={subject.durationMs}
              >
                <input type="hidden" name="about" value={about} />
                <button type="button" className="link noscript:hidden" onClick={() => setIsChanging(true)}>
                  <Trans>Change</Trans>
                </button>
              </ReportedContent>
            ) : (
              <Field
                label={t`Address`}
                name="about"
                hint={t`Of the audio, the creator, the playlist, the profile or the page.`}
                defaultValue={values['about'] ?? (subject === null ? '' : subject.address)}
                error={errorOf('about')}
              />
            )}
          </div>
          <fieldset>
            <legend>
              <Trans>What is wrong?</Trans>
            </legend>
            {noticeKinds.map((one) => {
              const [title, note] = kindTexts[one]();
              return (
                <label key={one} className="report__option">
                  <input
                    type="radio"
                    name="kind"
                    value={one}
                    checked={kind === one}
                    onChange={() => setKind(one)}
                    aria-describedby={faults.includes('kind') ? 'report-kind' : undefined}
                  />
                  <b>{title}</b>
                  {note !== undefined && <small>{note}</small>}
                </label>
              );
            })}
            {faults.includes('kind') && <FieldError id="report-kind">{faultTexts.kind()}</FieldError>}
          </fieldset>
          <div className="report__part">
            <h2>
              <Trans>Details</Trans>
            </h2>
            <Field
              className={partOf('country')}
              label={t`Whose law is it?`}
              name="country"
              hint={t`A country, or the European Union.`}
              maxLength={noticeLengths.line}
              length={undefined}
              defaultValue={values['country']}
              error={errorOf('country')}
            />
            <Field
              className={partOf('law')}
              label={t`Which law?`}
              name="law"
              defaultValue={values['law']}
              error={errorOf('law')}
            />
            <Field
              className={partOf('work')}
              label={t`Whose work is it?`}
              name="work"
              defaultValue={values['work']}
              error={errorOf('work')}
            />
            <fieldset className={classNames('text-15', partOf('owner'))}>
              <legend className="sr-only">
                <Trans>Do you own the copyright?</Trans>
              </legend>
              <label className="report__option">
                <input type="radio" name="owner" value="owner" defaultChecked={values['owner'] === 'owner'} />
                <span>{t`I own the copyright.`}</span>
              </label>
              <label className="report__option">
                <input type="radio" name="owner" value="agent" defaultChecked={values['owner'] === 'agent'} />
                <span>{t`I act for the owner.`}</span>
              </label>
              {faults.includes('owner') && <FieldError>{faultTexts.owner()}</FieldError>}
            </fieldset>
            <TextArea
              label={t`What did you hear, and where?`}
              name="details"
              rows={4}
              maxLength={noticeLengths.details}
              length={length}
              defaultValue={values['details']}
              error={errorOf('details')}
              onChange={(event) => setLength([...event.target.value].length)}
            />
            <p className="hint">
              <Trans>Times help, such as 0:16 to 0:52.</Trans>
            </p>
          </div>
          <div className="report__part">
            <h2>
              <Trans>Your contact</Trans>
            </h2>
            <div className="grid gap-4 md:grid-cols-2">
              <Field
                label={t`Name`}
                name="name"
                autoComplete="name"
                isOptional={kind === 'minor'}
                defaultValue={values['name']}
                error={errorOf('name')}
              />
              <Field
                label={t`Email`}
                name="email"
                type="email"
                autoComplete="email"
                isOptional={kind === 'minor'}
                hint={t`For the receipt and the decision.`}
                defaultValue={values['email'] ?? user?.email ?? ''}
                error={errorOf('email')}
              />
            </div>
          </div>
          <div>
            <CheckBox name="goodFaith" defaultChecked={values['goodFaith'] !== undefined} error={errorOf('goodFaith')}>
              {t`I believe in good faith that what I write here is correct and complete.`}
            </CheckBox>
          </div>
          <div className="flex flex-wrap items-center gap-3">
            <Button type="submit" variant="primary" size="lg" busy={isBusy ? t`Sending report` : undefined}>
              {t`Send report`}
            </Button>
            <p className="text-14 text-muted">
              <Trans>Is someone in danger right now? Call your local emergency number first.</Trans>
            </p>
          </div>
        </form>
        <WhatHappens />
      </div>
    </>
  );
}

function WhatHappens() {
  const steps = [
    {
      icon: Mail,
      text: t`You get a receipt with a number and a private page. It always says where your report stands.`,
    },
    { icon: Clock, text: t`A person decides within seven working days.` },
    {
      icon: MessageSquareText,
      text: t`You and the creator get the decision and its reasons. Each side can appeal once.`,
    },
    {
      icon: EyeOff,
      text: t`The creator does not see your name or email. For copyright they see who the owner is.`,
    },
  ];
  return (
    <aside className="report__panel" aria-labelledby="report-next">
      <h2 id="report-next">
        <Trans>What happens next</Trans>
      </h2>
      <ul>
        {steps.map(({ icon, text }) => (
          <li key={text}>
            <Icon of={icon} size={18} />
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </aside>
  );
}
