import type { ReactNode } from 'react';
import { useId } from 'react';
import type { LookPart } from '#domain/look/settings.ts';
import { answerOf, api } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/note.tsx';
import { ConflictNotice } from '#web/workshop/forms/conflict-notice.tsx';
import type { Edited } from '#web/workshop/forms/edited-bar.tsx';
import { LocalTime } from '../../workshop/local-time.tsx';
import type { LookSave } from './use-look-save.ts';
import { useLookSave } from './use-look-save.ts';

/** Facts about a stored part, besides its value. */
export type PartFacts = {
  revision: number;
  isDefault: boolean;
  changedBy: string | null;
  /** ISO 8601; null: never. */
  changedAt: string | null;
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
export function LookSectionOf(props: LookSectionProps) {
  const { part, title, help, facts, now, edited, isReady = true, children } = props;
  const { isBusy, refusal, again, save } = props.save;
  const id = useId();
  const fault = refusal ?? edited?.error;

  async function reset(): Promise<void> {
    await save(
      (revision) => answerOf(api.admin.look[':part'].reset.$post({ param: { part }, json: { revision } })),
      () => 'Reset to the default',
    );
    edited?.reset();
  }

  return (
    <section className="settings-part" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        <p>{help}</p>
        <p>
          {facts.isDefault ? (
            'The default.'
          ) : (
            <>
              Changed by {facts.changedBy ?? 'the command line'}
              {facts.changedAt !== null && (
                <>
                  , <LocalTime at={facts.changedAt} now={now} style="moment" />
                </>
              )}
            </>
          )}
        </p>
      </header>
      <form
        className="field-list content-start"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) void edited?.save();
        }}
      >
        {children}
        {edited && <ConflictNotice edited={edited} />}
        {fault !== undefined && (
          <Note tone="error">
            {fault}
            {again && (
              <>
                {' '}
                <button type="button" className="link" onClick={again}>
                  Save mine instead
                </button>
              </>
            )}
          </Note>
        )}
        <div className="flex flex-wrap gap-2">
          {edited && (
            <Button
              type="submit"
              variant="primary"
              size="sm"
              disabled={!edited.isChanged || !isReady}
              busy={edited.isBusy ? 'Saving…' : undefined}
            >
              {edited.isConflict ? 'Save mine instead' : 'Save'} <span className="sr-only">{title.toLowerCase()}</span>
            </Button>
          )}
          {edited?.isConflict && (
            <Button size="sm" variant="ghost" disabled={edited.isBusy} onClick={edited.reset}>
              Load theirs <span className="sr-only">{title.toLowerCase()}</span>
            </Button>
          )}
          {!facts.isDefault && (
            <Button size="sm" variant="ghost" disabled={isBusy} onClick={() => void reset()}>
              Back to the default <span className="sr-only">{title.toLowerCase()}</span>
            </Button>
          )}
        </div>
      </form>
    </section>
  );
}
