import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useEffectEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import type { DeskNotice } from '#domain/admin/desk/notice.ts';
import {
  type CannedReason,
  type NoticeGround,
  type NoticeKind,
  type NoticeVerb,
  cannedReasons,
  noticeGrounds,
  noticeLengths,
} from '#domain/notices/rules.ts';
import { cannedText, groundText } from '#domain/notices/wording-rules.ts';
import { api } from '#web/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/fields/field.tsx';
import { TextArea } from '#web/ui/fields/text-area.tsx';
import { isComposing } from '#web/ui/fields/is-composing.ts';
import { Note } from '#web/ui/note.tsx';
import { ChoiceField } from '#web/workshop/forms/choice-field.tsx';
import { RadioOption } from '#web/workshop/forms/radio-option.tsx';
import { Pane } from '#web/workshop/pane.tsx';
import { Shortcuts, ShortcutsSwitch, useShortcuts } from '#web/workshop/shortcuts.tsx';
import { useClientValue } from '#web/ui/use-client-value.ts';
import { useCall } from '../use-call.ts';
import { cannedLabels } from './canned-reasons.ts';
import { NoticeClock } from './notice-clock.tsx';
import { decidedWords } from './subject-words.ts';

const groundOf: Record<NoticeKind, NoticeGround> = {
  illegal: 'law',
  consent: 'consent',
  minor: 'minor',
  copyright: 'copyright',
  rights: 'rights',
  rules: 'rules',
};

type Commands = { next(): void; previous(): void; playPlace(): void };

/** Choices by their place. */
const keys: Record<string, keyof Commands | number> = { 1: 0, 2: 1, 3: 2, j: 'next', k: 'previous', p: 'playPlace' };

/** The choice, its ground and its reasons; by keys, too. Give it the notice’s id as key, so that no draft reaches another one. */
export function NoticeDecide({ notice, next, commands }: { notice: DeskNotice; next: string; commands: Commands }) {
  const { id, subject, kind, clock, appeal, hasDecided, isSettled, openedBy, asked } = notice;
  const { call, busy } = useCall();
  const navigate = useNavigate();
  const isHidden = notice.hiddenAt !== null || notice.audio?.state === 'hidden';
  const [verb, setVerb] = useState<NoticeVerb>(isHidden ? 'hide' : 'keep');
  const [ground, setGround] = useState<NoticeGround>(groundOf[kind]);
  const [clause, setClause] = useState('');
  const [canned, setCanned] = useState<CannedReason>();
  const [reasons, setReasons] = useDraft(id);
  const [meanwhile, setMeanwhile] = useState<string>();
  const isOpen = !isSettled || appeal !== undefined;
  const isReady = (canned !== undefined || reasons.trim() !== '') && [...reasons].length <= noticeLengths.reasons;
  const choices: { verb: NoticeVerb; label: string; note: string }[] = [
    {
      verb: 'remove',
      label: t`Remove`,
      note: subject.type === 'audio' ? t`For everyone, for good. Files go after 30 days.` : t`For everyone, for good.`,
    },
    isHidden
      ? { verb: 'hide', label: t`Keep hidden`, note: t`Until what is missing is there.` }
      : { verb: 'hide', label: t({ message: 'Hide', context: 'verb' }), note: t`Until what is missing is there.` },
    isHidden
      ? { verb: 'keep', label: t`Show again`, note: t`Nothing is wrong with it.` }
      : { verb: 'keep', label: t({ message: 'Keep', context: 'notice' }), note: t`Nothing is wrong with it.` },
  ];
  const chosen = choices.find((one) => one.verb === verb)?.label ?? '';

  async function decide(): Promise<void> {
    if (!isReady || !isOpen || busy !== undefined) return;
    const json = {
      verb,
      ground: verb === 'keep' && ground === groundOf[kind] ? 'none' : ground,
      clause,
      canned,
      reasons,
    } as const;
    const back = window.location.pathname + window.location.search;
    const answer = await call('decide', () => api.admin.notices[':id'].decision.$post({ param: { id }, json }), {
      done: t`Decided: ${{ decision: decidedWords[verb]() }}. Both sides are told in ten seconds.`,
      undo: ({ decisionId }) => void undo(decisionId, back),
      isShown: ({ code, message }) => {
        if (code !== 'notice/decided') return false;
        setMeanwhile(message);
        return true;
      },
    });
    if (answer === undefined) return;
    setReasons('');
    await navigate(next, { preventScrollReset: true });
  }

  async function undo(decisionId: string, back: string): Promise<void> {
    const answer = await call(
      'undo',
      () => api.admin['notice-decisions'][':id'].undo.$post({ param: { id: decisionId } }),
      { done: t`Undone` },
    );
    if (answer !== undefined) await navigate(back);
  }

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.repeat || isComposing(event)) return;
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void decide();
  });
  useEffect(() => {
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  useShortcuts(keys, (key) => {
    if (typeof key === 'string') return commands[key]();
    const choice = choices[key];
    if (choice === undefined) return false;
    setVerb(choice.verb);
  });

  return (
    <>
      {meanwhile !== undefined && <Note tone="error">{meanwhile}</Note>}
      {openedBy !== null && <SomeoneElse id={id} name={openedBy.name} />}
      <Pane title={appeal === undefined ? t`Decide` : t`Decide on the appeal`}>
        {isOpen && <NoticeClock clock={clock} isLarge />}
        {!isOpen ? (
          <p className="text-14 text-muted">
            {t`Decided: ${{ decision: decidedWords[notice.decisions.at(-1)?.verb ?? 'keep']() }}.`}
          </p>
        ) : appeal !== undefined && hasDecided ? (
          <p className="mt-3 text-14 text-muted">
            <Trans>You decided this notice. Someone else reads its appeal.</Trans>
          </p>
        ) : (
          <form
            className="mt-3 grid gap-4"
            onSubmit={(event) => {
              event.preventDefault();
              void decide();
            }}
          >
            <fieldset>
              <legend className="sr-only">
                <Trans>What to do</Trans>
              </legend>
              {choices.map((one) => (
                <RadioOption
                  key={one.verb}
                  name="verb"
                  label={one.label}
                  note={one.note}
                  checked={verb === one.verb}
                  onChoose={() => setVerb(one.verb)}
                />
              ))}
            </fieldset>
            <ChoiceField
              label={t`Ground`}
              value={ground}
              none={null}
              options={noticeGrounds.map((one) => ({ value: one, label: groundText(one, null) }))}
              onChoose={(value) => setGround(value as NoticeGround)}
            />
            <Field
              label={t`Law or rule`}
              isOptional
              value={clause}
              maxLength={noticeLengths.line}
              onChange={(event) => setClause(event.target.value)}
            />
            <div>
              <ChoiceField
                label={t`Standard reason`}
                value={canned ?? ''}
                none={t`Own words`}
                options={cannedReasons.map((one) => ({ value: one, label: cannedLabels[one]() }))}
                onChoose={(chosen) => setCanned(cannedReasons.find((one) => one === chosen))}
              />
              {canned !== undefined && (
                <p className="mt-2 text-14">
                  {cannedText(canned)}
                  <span className="mt-0.5 block text-13 text-muted">{t`Each reader gets it in their own language.`}</span>
                </p>
              )}
            </div>
            <TextArea
              label={t`Reasons`}
              isOptional={canned !== undefined}
              rows={canned === undefined ? 7 : 4}
              value={reasons}
              maxLength={noticeLengths.reasons}
              onChange={(event) => setReasons(event.target.value)}
            />
            <p className="hint -mt-3">
              <Trans>Both sides read this.</Trans>
            </p>
            <Button
              type="submit"
              variant="primary"
              disabled={!isReady}
              busy={busy === 'decide' ? t`Deciding…` : undefined}
            >
              {t`${chosen} and tell both sides`}
            </Button>
            {appeal === undefined && notice.subject.type !== 'page' && (
              <Button
                variant="ghost"
                busy={busy === 'ask' ? t`Asking…` : undefined}
                onClick={() =>
                  void call('ask', () => api.admin.notices[':id'].question.$post({ param: { id } }), {
                    done: t`The creator is asked by mail`,
                  })
                }
              >
                {asked === null ? t`Ask the creator` : t`Ask the creator again`}
              </Button>
            )}
          </form>
        )}
      </Pane>
      <Shortcuts title={t`Keys`} rows={keyRows()}>
        <ShortcutsSwitch />
      </Shortcuts>
    </>
  );
}

const keyRows = (): [string, string[]][] => [
  [t`Next, previous`, ['J', 'K']],
  [t`Play the place`, ['P']],
  [t`Choose`, ['1', '2', '3']],
  [t`Decide`, ['Ctrl', 'Enter']],
];

function SomeoneElse({ id, name }: { id: string; name: string | null }) {
  const { call } = useCall();
  const who = name ?? t`Someone else`;
  return (
    <Note tone="info">
      {t`${who} opened this notice a few minutes ago.`}{' '}
      <button
        type="button"
        className="link"
        onClick={() =>
          void call('take', () => api.admin.notices[':id'].reader.$put({ param: { id }, json: { takesOver: true } }))
        }
      >
        <Trans>Take it over</Trans>
      </button>
    </Note>
  );
}

/** Reasons stay on this device until they are sent. */
function useDraft(id: string): [string, (text: string) => void] {
  const key = `notice ${id}`;
  const kept = useClientValue(() => readSession(key), '');
  const [typed, setTyped] = useState<string>();
  return [
    typed ?? kept,
    (next) => {
      setTyped(next);
      writeSession(key, next);
    },
  ];
}

/** Without storage, reasons last as long as the page. */
function readSession(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

function writeSession(key: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    // As above.
  }
}
