import { useId, useState, useSyncExternalStore } from 'react';
import type { Commenters } from '#domain/catalogue/rules.ts';
import { commenterChoices } from '#domain/catalogue/rules.ts';
import type { UploadChoices } from '#domain/studio/rules.ts';
import { browserStore } from '../../browser-store.ts';
import { commenterLabels } from '../comments/commenters-choice.tsx';

export type CategoryName = { id: string; label: string };

const key = 'sotto_upload_choices';

/** Initial choices for new files; stored in this browser. */
export function useNewChoices(categories: CategoryName[]): [UploadChoices, (choices: UploadChoices) => void] {
  const kept = useSyncExternalStore(never, readKept, () => null);
  const [changed, setChanged] = useState<UploadChoices | undefined>();
  return [
    changed ?? parsed(kept, categories),
    (choices) => {
      setChanged(choices);
      // The default for commenters is stored with the voice.
      const { commenters: _ofVoice, ...rest } = choices;
      browserStore.set(key, JSON.stringify(rest));
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
    const { categoryId, isFree } = JSON.parse(kept ?? '{}') as UploadChoices;
    return {
      ...(categories.some(({ id }) => id === categoryId) && { categoryId: String(categoryId) }),
      ...(typeof isFree === 'boolean' && { isFree }),
    };
  } catch {
    return {};
  }
}

type NewChoicesProps = {
  choices: UploadChoices;
  categories: CategoryName[];
  /** The voice's default for commenters. */
  newCommenters: Commenters;
  onChange(choices: UploadChoices): void;
};

/** Category, access and comments of all files added from now on. */
export function NewChoices({ choices, categories, newCommenters, onChange }: NewChoicesProps) {
  const id = useId();
  const { categoryId, isFree = false, commenters = newCommenters } = choices;
  return (
    <section className="pane" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} className="pane-subtitle mb-3.5">
        For all new files
      </h2>
      <div className="field-list gap-4">
        <div className="field">
          <label htmlFor={`${id}-category`}>Category</label>
          <select
            id={`${id}-category`}
            className="input input--dense"
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
        <div className="field">
          <label htmlFor={`${id}-access`}>Who may hear them</label>
          <select
            id={`${id}-access`}
            className="input input--dense"
            value={isFree ? 'free' : 'subscribers'}
            onChange={({ target: { value } }) => onChange({ ...choices, isFree: value === 'free' })}
          >
            <option value="subscribers">Subscribers</option>
            <option value="free">Everyone</option>
          </select>
        </div>
        <div className="field">
          <label htmlFor={`${id}-commenters`}>Who may comment</label>
          <select
            id={`${id}-commenters`}
            className="input input--dense"
            value={commenters}
            onChange={({ target: { value } }) =>
              onChange({ ...choices, commenters: commenterChoices.find((choice) => choice === value) ?? newCommenters })
            }
          >
            {commenterChoices.map((choice) => (
              <option key={choice} value={choice}>
                {commenterLabels[choice]}
              </option>
            ))}
          </select>
        </div>
      </div>
    </section>
  );
}
