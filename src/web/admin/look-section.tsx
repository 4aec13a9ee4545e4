import type { ReactNode } from 'react';
import { useId } from 'react';
import { useRevalidator } from 'react-router';
import type { LookPart } from '#domain/look/settings.ts';
import { answerOf, api } from '#web/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Note } from '#web/ui/note.tsx';
import { LocalTime } from '#web/workshop/local-time.tsx';
import type { LookSave } from './use-look-save.ts';

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
  save: LookSave;
  /** Absent: changes are saved at once. */
  onSave?: () => void;
  isChanged?: boolean;
  /** Drops what was typed. */
  onReset?: () => void;
  children: ReactNode;
};

/** One part of the look, with who changed it last and a button that restores the default. */
export function LookSection(props: LookSectionProps) {
  const { part, title, help, facts, now, onSave, isChanged = false, onReset, children } = props;
  const { isBusy, refusal, setRefusal, save } = props.save;
  const { revalidate } = useRevalidator();
  const id = useId();
  const { revision } = facts;

  async function showStored(): Promise<void> {
    await revalidate();
    onReset?.();
    setRefusal(undefined);
  }

  return (
    <section className="set" aria-labelledby={id}>
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
        className="fg content-start"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSave?.();
        }}
      >
        {children}
        {refusal !== undefined && (
          <Note tone="error">
            {refusal.text}
            {refusal.isConflict && (
              <>
                {' '}
                <button type="button" className="link" onClick={() => void showStored()}>
                  Show what is there now
                </button>
              </>
            )}
          </Note>
        )}
        <div className="flex flex-wrap gap-2">
          {onSave !== undefined && (
            <Button
              type="submit"
              variant="primary"
              size="sm"
              disabled={!isChanged}
              busy={isBusy ? 'Saving…' : undefined}
            >
              Save <span className="sr-only">{title.toLowerCase()}</span>
            </Button>
          )}
          {!facts.isDefault && (
            <Button
              size="sm"
              variant="ghost"
              disabled={isBusy}
              onClick={() =>
                void save(
                  () => answerOf(api.admin.look[':part'].reset.$post({ param: { part }, json: { revision } })),
                  'Reset to the default',
                  onReset,
                )
              }
            >
              Back to the default <span className="sr-only">{title.toLowerCase()}</span>
            </Button>
          )}
        </div>
      </form>
    </section>
  );
}
