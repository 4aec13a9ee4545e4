import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { LookPart } from '#domain/look/settings.ts';
import { api } from '#web/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Note } from '#web/ui/note.tsx';
import type { Edited } from '#web/workshop/forms/edited-bar.tsx';
import { LocalTime } from '#web/workshop/local-time.tsx';
import { SettingsSection, actNamed } from './settings-section.tsx';
import { type ReactNode, useState } from 'react';
import { changeText } from '#web/workshop/forms/change-text.ts';
import { isChangedMeanwhile } from '#web/workshop/forms/use-edited.ts';
import { type DataIn, type Sent, useCall } from '../use-call.ts';

/** Facts about a stored part, besides its value. */
export type PartFacts = {
  revision: number;
  isDefault: boolean;
  changedBy: string | null;
  /** Null: never. */
  changedAt: Date | null;
};

type LookSectionProps = {
  part: LookPart;
  title: string;
  help: string;
  facts: PartFacts;
  now: number;
  /** Absent: changes are saved at once. */
  edited?: Edited;
  /** Whether the changes can be saved. */
  isReady?: boolean;
  save: LookSave;
  children: ReactNode;
};

/** One part of the look, with who changed it last and a button that restores the default. */
export function LookSection(props: Omit<LookSectionProps, 'save'>) {
  return <LookSectionOf {...props} save={useLookSave(props.facts.revision)} />;
}

/** With the save of its picture. */
export function LookSectionOf({ part, facts, now, save, children, ...section }: LookSectionProps) {
  const { title, edited } = section;

  async function reset(): Promise<void> {
    await save.save(
      (revision) => api.admin.look[':part'].reset.$post({ param: { part }, json: { revision } }),
      () => t`Reset to the default`,
    );
    edited?.reset();
  }

  return (
    <SettingsSection
      {...section}
      facts={facts.isDefault ? t`The default.` : <ChangedBy facts={facts} now={now} />}
      acts={
        !facts.isDefault && (
          <Button
            size="sm"
            variant="ghost"
            disabled={save.isBusy}
            onClick={() => void reset()}
            {...actNamed(t`Back to the default`, title)}
          />
        )
      }
    >
      {children}
      <LookRefusal save={save} />
    </SettingsSection>
  );
}

type ChangedByProps = { facts: Pick<PartFacts, 'changedBy' | 'changedAt'>; now: number };

export function ChangedBy({ facts: { changedBy, changedAt }, now }: ChangedByProps) {
  const time = changedAt !== null && <LocalTime at={changedAt} now={now} style="moment" />;
  if (changedBy === null)
    return time ? <Trans>Changed from the command line, {time}</Trans> : t`Changed from the command line`;
  return time ? (
    <Trans>
      Changed by {changedBy}, {time}
    </Trans>
  ) : (
    t`Changed by ${changedBy}`
  );
}

/** Why a part was not saved, and a way to save it all the same. */
export function LookRefusal({
  save: { refusal, again },
  verb = t`Save mine instead`,
}: {
  save: LookSave;
  verb?: string;
}) {
  if (refusal === undefined) return null;
  return (
    <Note tone="error">
      {refusal}
      {again && (
        <>
          {' '}
          <button type="button" className="link" onClick={again}>
            {verb}
          </button>
        </>
      )}
    </Note>
  );
}

/**
 * Saves a part of the look that nobody types, such as a picture. After a change by others the page shows theirs, and
 * `again` replaces it.
 * @param revision of the part that is shown
 */
export function useLookSave(revision: number) {
  const { isBusy, call } = useCall();
  const [refusal, setRefusal] = useState<{ text: string; repeat?: (revision: number) => void }>();

  async function run<Result extends Sent>(
    send: (revision: number) => Promise<Result>,
    done: (data: DataIn<Result>) => string,
    at: number,
  ): Promise<void> {
    setRefusal(undefined);
    await call('look', () => send(at), {
      done,
      isShown: (refused) => {
        const theirs = `${changeText(refused.change)}. ${t`This page shows theirs now; yours was not saved.`}`;
        setRefusal(
          isChangedMeanwhile(refused)
            ? { text: theirs, repeat: (newest) => void run(send, done, newest) }
            : { text: refused.message },
        );
        return true;
      },
    });
  }

  return {
    isBusy,
    refusal: refusal?.text,
    again: refusal?.repeat && (() => refusal.repeat?.(revision)),
    refuse: (text: string) => setRefusal({ text }),
    save: <Result extends Sent>(send: (revision: number) => Promise<Result>, done: (data: DataIn<Result>) => string) =>
      run(send, done, revision),
  };
}

export type LookSave = ReturnType<typeof useLookSave>;
