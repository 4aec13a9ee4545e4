import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '../../ui/button.tsx';
import { type Sent, useCall } from '../use-call.ts';

type DeletedListProps = {
  items: { id: string; name: string; audios: number }[];
  restore: (id: string) => Promise<Sent>;
};

/** Items deleted within the last 30 days, each with a button that restores it; renders nothing without one. */
export function DeletedList({ items, restore }: DeletedListProps) {
  const { busy, call } = useCall();
  if (items.length === 0) return null;
  return (
    <section className="mt-10 max-md:mt-8" aria-labelledby="deleted">
      <div className="workshop-section__head">
        <h2 id="deleted">
          <Trans>Deleted</Trans>
        </h2>
      </div>
      <ul className="todo">
        {items.map(({ id, name, audios }) => (
          <li key={id} className="todo--line">
            <div className="min-w-0">
              <b className="wrap-anywhere">{name}</b>
              <small>
                {t`${plural(audios, { one: '# audio', other: '# audios' })}. Permanently deleted 30 days after deletion.`}
              </small>
            </div>
            <Button
              size="sm"
              busy={busy === id ? t`Restoring…` : undefined}
              aria-label={t`Restore ${name}`}
              onClick={() => void call(id, () => restore(id), { done: t`${name} is restored`, about: id })}
            >
              {t`Restore`}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
