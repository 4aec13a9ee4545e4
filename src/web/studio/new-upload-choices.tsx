import { useId, useState, useSyncExternalStore } from 'react';
import type { UploadChoices } from '#domain/studio/rules.ts';
import { browserStore } from '../browser-store.ts';

export type CategoryName = { id: string; label: string };

const key = 'sotto_upload_choices';

/** What new files start with; remembered for the next time. */
export function useNewChoices(categories: CategoryName[]): [UploadChoices, (choices: UploadChoices) => void] {
  const kept = useSyncExternalStore(never, readKept, () => null);
  const [changed, setChanged] = useState<UploadChoices | undefined>();
  return [
    changed ?? parsed(kept, categories),
    (choices) => {
      setChanged(choices);
      browserStore.set(key, JSON.stringify(choices));
    },
  ];
}

function readKept(): string | null {
  return browserStore.get(key);
}

function never(): () => void {
  return () => {};
}

function parsed(kept: string | null, categories: CategoryName[]): UploadChoices {
  try {
    const { categoryId, isFree, commentsDisabled } = JSON.parse(kept ?? '{}') as UploadChoices;
    return {
      ...(categories.some(({ id }) => id === categoryId) && { categoryId: String(categoryId) }),
      ...(typeof isFree === 'boolean' && { isFree }),
      ...(typeof commentsDisabled === 'boolean' && { commentsDisabled }),
    };
  } catch {
    return {};
  }
}

type NewChoicesProps = {
  choices: UploadChoices;
  categories: CategoryName[];
  onChange(choices: UploadChoices): void;
};

/** Category, access and comments of all files that are added from now on. */
export function NewChoices({ choices, categories, onChange }: NewChoicesProps) {
  const id = useId();
  const { categoryId, isFree = false, commentsDisabled = false } = choices;
  return (
    <section className="pn" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`} className="mb-3.5">
        For all new files
      </h3>
      <div className="fg gap-4">
        <div className="fld">
          <label htmlFor={`${id}-category`}>Category</label>
          <select
            id={`${id}-category`}
            className="in in--d"
            value={categoryId ?? ''}
            onChange={({ target: { value } }) => {
              const { categoryId: _before, ...rest } = choices;
              onChange(value === '' ? rest : { ...rest, categoryId: value });
            }}
          >
            <option value="">None</option>
            {categories.map((category) => (
              <option key={category.id} value={category.id}>
                {category.label}
              </option>
            ))}
          </select>
        </div>
        <div className="fld">
          <label htmlFor={`${id}-access`}>Who may hear them</label>
          <select
            id={`${id}-access`}
            className="in in--d"
            value={isFree ? 'free' : 'subscribers'}
            onChange={({ target: { value } }) => onChange({ ...choices, isFree: value === 'free' })}
          >
            <option value="subscribers">Subscribers</option>
            <option value="free">Everyone</option>
          </select>
        </div>
        <button
          type="button"
          role="switch"
          className="swr2 p-0 text-start"
          aria-label="Allow comments"
          aria-checked={!commentsDisabled}
          onClick={() => onChange({ ...choices, commentsDisabled: !commentsDisabled })}
        >
          <span className="grow">
            <b>Comments</b>
            <small>Can be changed for each audio</small>
          </span>
          <span className="sw" />
        </button>
      </div>
    </section>
  );
}
