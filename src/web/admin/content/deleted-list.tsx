import { countOf } from '#formats/numbers.ts';
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
        <h2 id="deleted">Deleted</h2>
      </div>
      <ul className="todo">
        {items.map(({ id, name, audios }) => (
          <li key={id} className="todo--line">
            <div className="min-w-0">
              <b className="wrap-anywhere">{name}</b>
              <small>{countOf(audios, 'audio')}. Goes for good 30 days after it was deleted.</small>
            </div>
            <Button
              size="sm"
              busy={busy === id ? 'Restoring…' : undefined}
              aria-label={`Restore ${name}`}
              onClick={() => void call(id, () => restore(id), { done: `${name} is restored`, about: id })}
            >
              Restore
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
