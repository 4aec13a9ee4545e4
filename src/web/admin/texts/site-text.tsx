import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Check from 'lucide-react/icons/check';
import Pencil from 'lucide-react/icons/pencil';
import { Button } from '../../ui/button.tsx';
import { Pane } from '../../workshop/pane.tsx';
import { StateMark } from '../../workshop/state-mark.tsx';
import { type Sent, useCall } from '../use-call.ts';

/** Parts of pages that edit a text of the site, which has a default. */

/** Whether a text is the operator's or the default. */
export function TextState({ isChanged }: { isChanged: boolean }) {
  return (
    <StateMark
      icon={isChanged ? Pencil : Check}
      tone={isChanged ? 'accent' : undefined}
      text={isChanged ? t`Your text` : t`Default text`}
      className="max-[360px]:whitespace-normal"
    />
  );
}

type RestoreDefaultProps<Text> = {
  stored: { text: Text; revision: number };
  put: (json: { text: Text | null; revision: number }) => Promise<Sent>;
  onDone: () => void;
};

export function RestoreDefault<Text>({ stored: { text, revision }, put, onDone }: RestoreDefaultProps<Text>) {
  const { busy, call } = useCall();

  async function restore(): Promise<void> {
    const restored = await call('default', () => put({ text: null, revision }), {
      done: t`The default text is restored`,
      undo: () => void call('undo', () => put({ text, revision: revision + 1 })),
    });
    if (restored !== undefined) onDone();
  }

  return (
    <Button busy={busy === 'default' ? t`Restoring…` : undefined} onClick={() => void restore()}>
      {t`Restore the default text`}
    </Button>
  );
}

type PlaceholderListProps = { placeholders: { name: string; means: string; isRequired?: boolean }[] };

/** The placeholders of a text, with their meaning. */
export function PlaceholderList({ placeholders }: PlaceholderListProps) {
  return (
    <aside className="stack" aria-label={t`Details`}>
      <Pane title={t`Placeholders`}>
        <dl className="grid gap-2.5">
          {placeholders.map(({ name, means, isRequired = false }) => (
            <div key={name}>
              <dt>
                <code className="text-14">{`{${name}}`}</code>
                {isRequired && (
                  <span className="text-13 ms-2 text-muted">
                    <Trans>needed</Trans>
                  </span>
                )}
              </dt>
              <dd className="text-13 text-muted">{means}</dd>
            </div>
          ))}
        </dl>
      </Pane>
    </aside>
  );
}
