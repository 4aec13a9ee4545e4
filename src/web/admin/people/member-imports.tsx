import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Upload from 'lucide-react/icons/upload';
import { useEffect } from 'react';
import { href, useRevalidator } from 'react-router';
import { maxMembersFileBytes } from '#domain/membership/importing/rules.ts';
import type { MemberImport } from '#domain/membership/importing/plan-import.ts';
import { formatCount } from '#formats/numbers.ts';
import { type Answer, answerOf, api } from '#web/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { useToast } from '#web/ui/layers/toast.tsx';
import { Fact, Facts } from '#web/workshop/facts.tsx';
import { FileButton } from '#web/workshop/forms/file-button.tsx';
import { Part } from '#web/workshop/forms/settings-part.tsx';
import { LocalTime } from '#web/workshop/local-time.tsx';
import { WorkshopHead } from '#web/workshop/workshop-head.tsx';
import { useConfirm } from '../consequence-dialog.tsx';
import { useCall } from '../use-call.ts';
import { importStateNames, refusalTexts } from './import-words.ts';

/** Milliseconds between two looks at an import. */
const pollMs = 2000;

/** Members who come from elsewhere: a file, what its import would do, and how far it is. */
export function MemberImports({ imports }: { imports: MemberImport[] }) {
  const isUnderWay = imports.some(({ state }) => state === 'running');
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!isUnderWay) return undefined;
    const timer = setInterval(() => void revalidate(), pollMs);
    return () => clearInterval(timer);
  }, [isUnderWay, revalidate]);
  return (
    <>
      <WorkshopHead
        title={t`Import members`}
        facts={t`Members of another site get an account here, the time that they have paid for, and a mail to set a password.`}
        back={{ to: href('/admin/users'), label: t`Users` }}
      />
      <div className="max-w-[1000px]">
        <MembersFile />
        {imports.length > 0 && (
          <Part
            id="imports"
            title={t`Imports`}
            help={t`An import goes on by itself, also after a restart of the site. The same file again gives nobody anything twice.`}
          >
            <div className="grid gap-4">
              {imports.map((one) => (
                <Import key={one.id} of={one} />
              ))}
            </div>
          </Part>
        )}
      </div>
    </>
  );
}

function MembersFile() {
  const { call, isBusy } = useCall();
  const showToast = useToast();
  async function plan(file: File): Promise<void> {
    if (file.size > maxMembersFileBytes)
      return showToast({ text: t`This file is larger than 8 MB. Divide it into several.` });
    const json = { name: file.name.slice(0, 200), text: await file.text() };
    await call('plan', () => api.admin['member-imports'].$post({ json }), {
      done: t`The plan is below. Nothing has been done yet.`,
    });
  }
  return (
    <Part
      id="file"
      title={t`File`}
      help={t`CSV in UTF-8, with commas or semicolons. Its first line names the columns.`}
    >
      <ul className="grid gap-1 text-14">
        <li>
          <Trans>
            <b>email</b>: needed
          </Trans>
        </li>
        <li>
          <Trans>
            <b>paid until</b>: a day, such as 2027-03-31. They hear until its end, and nothing is charged.
          </Trans>
        </li>
        <li>
          <Trans>
            <b>stripe customer</b>: instead of a day, the customer of a subscription that runs in your Stripe account.
            It goes on here as it is.
          </Trans>
        </li>
        <li>
          <Trans>
            <b>plan</b> and <b>language</b>: if you like. The mail comes in the language, if this site has it.
          </Trans>
        </li>
      </ul>
      <FileButton
        className="mt-4"
        variant="primary"
        fieldLabel={t`File of members`}
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
        busy={isBusy ? t`Reading…` : undefined}
        onFiles={([file]) => void plan(file)}
      >
        <Icon of={Upload} size={16} />
        <Trans>Choose file</Trans>
      </FileButton>
    </Part>
  );
}

type Act = 'start' | 'pause' | 'resume' | 'retry' | 'discard';

function partText(part: number, whole: number): string {
  const [done, all] = [formatCount(part), formatCount(whole)];
  return t`${done} of ${all}`;
}

/** The plan or the progress of one file, with the lines that were refused. */
function Import({ of }: { of: MemberImport }) {
  const { call, busy } = useCall();
  const { confirm, dialog } = useConfirm();
  const isPlanned = of.state === 'planned';
  const act = (name: Act, done?: string): Promise<unknown> =>
    call(
      name,
      (): Promise<Answer<{ changed: number }>> =>
        answerOf(api.admin['member-imports'][':id'].act.$post({ param: { id: of.id }, json: { act: name } })),
      { done },
    );
  const busyText = (name: Act) => (busy === name ? t`One moment…` : undefined);
  const members = plural(of.new + of.known, { one: '# member', other: '# members' });
  return (
    <article className="panel p-5">
      <h3 className="flex flex-wrap items-center gap-2.5 text-18 wrap-anywhere">
        <span dir="auto">{of.fileName}</span>
        <span className={of.state === 'done' ? 'tag tone-ok' : 'tag tag--warn'}>{importStateNames()[of.state]}</span>
      </h3>
      <p className="mt-1 text-muted">
        <LocalTime at={of.createdAt} style="date" />
      </p>
      {(of.state === 'running' || of.state === 'paused') && (
        <progress className="mt-3 w-full" max={of.total} value={of.total - of.waiting} aria-label={t`Progress`} />
      )}
      <Facts className="mt-3">
        {!isPlanned && <Fact name={t`Progress`}>{partText(of.total - of.waiting, of.total)}</Fact>}
        <Fact name={t`New accounts`}>{formatCount(of.new)}</Fact>
        <Fact name={t`Known accounts`}>{formatCount(of.known)}</Fact>
        {!isPlanned && <Fact name={t`Got time`}>{formatCount(of.given)}</Fact>}
        {of.subscriptions > 0 && (
          <Fact name={t`Running subscriptions`}>
            {isPlanned ? formatCount(of.subscriptions) : partText(of.adopted, of.subscriptions)}
          </Fact>
        )}
        <Fact name={t`Refused lines`}>{formatCount(of.refused)}</Fact>
        {of.failed > 0 && <Fact name={t`Failed`}>{formatCount(of.failed)}</Fact>}
        {of.plans.map(({ plan, count }) => (
          <Fact key={plan} name={t`Plan ${plan}`}>
            {formatCount(count)}
          </Fact>
        ))}
      </Facts>
      <Problems of={of} />
      <div className="mt-4 flex flex-wrap gap-3">
        {isPlanned && of.new + of.known > 0 && (
          <Button
            variant="primary"
            busy={busyText('start')}
            onClick={() =>
              confirm({
                title: t`Import ${members}`,
                consequences: plural(of.new, {
                  one: '# account is made, and its owner gets a mail. Nobody is charged. This cannot be undone.',
                  other: '# accounts are made, and their owners get a mail. Nobody is charged. This cannot be undone.',
                }),
                verb: t`Start the import`,
                onConfirm: () => act('start', t`The import begins within seconds`),
              })
            }
          >
            {t`Start the import`}
          </Button>
        )}
        {isPlanned && (
          <Button busy={busyText('discard')} onClick={() => void act('discard')}>
            {t`Discard`}
          </Button>
        )}
        {of.state === 'running' && (
          <Button busy={busyText('pause')} onClick={() => void act('pause')}>
            {t`Pause`}
          </Button>
        )}
        {of.state === 'paused' && (
          <Button variant="primary" busy={busyText('resume')} onClick={() => void act('resume')}>
            {t`Go on`}
          </Button>
        )}
        {of.failed > 0 && (
          <Button busy={busyText('retry')} onClick={() => void act('retry')}>
            {t`Try again`}
          </Button>
        )}
      </div>
      {dialog}
    </article>
  );
}

function Problems({ of: { problems, refused, failed } }: { of: MemberImport }) {
  const texts = refusalTexts();
  const more = refused + failed - problems.length;
  if (problems.length === 0) return null;
  return (
    <details className="mt-3">
      <summary>
        <Trans>Show which</Trans>
      </summary>
      <ul className="mt-2 grid gap-1.5 text-13">
        {problems.map(({ line, email, reason, error }) => (
          <li key={line} className="wrap-anywhere">
            {t`Line ${line}`}
            {email !== null && (
              <>
                {' · '}
                <bdi>{email}</bdi>
              </>
            )}
            {': '}
            {reason === null ? <span lang="en">{error}</span> : texts[reason]}
          </li>
        ))}
        {more > 0 && <li>{plural(more, { one: 'And # more', other: 'And # more' })}</li>}
      </ul>
    </details>
  );
}
