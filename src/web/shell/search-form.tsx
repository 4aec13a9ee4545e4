import Search from 'lucide-react/icons/search';
import { Form } from 'react-router';
import { Icon } from '../ui/icon.tsx';

type SearchFormProps = {
  /** In the header's bar, or the row below it that a phone opens. */
  place: 'bar' | 'row';
  /** Escape in the empty field; in a full one the browser empties it. */
  onLeave?: () => void;
};

/** A form like any other, so that it also works without script. An empty term does nothing. */
export function SearchForm({ place, onLeave }: SearchFormProps) {
  const isRow = place === 'row';
  return (
    <search className={isRow ? 'hd__field' : 'd-only'}>
      <Form
        action="/search"
        method="get"
        onSubmit={(event) => {
          const term = new FormData(event.currentTarget).get('search');
          if (typeof term !== 'string' || term.trim() === '') event.preventDefault();
        }}
      >
        <label className={isRow ? 'in in--pill' : 'hd__search'}>
          <Icon of={Search} size={18} />
          <span className="vh">Search</span>
          <input
            // The row was opened to be written in.
            ref={isRow ? takeFocus : undefined}
            className="in__f"
            type="search"
            name="search"
            placeholder="Search"
            maxLength={100}
            autoComplete="off"
            enterKeyHint="search"
            data-site-search={place}
            onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.value === '' && onLeave?.()}
          />
          {!isRow && (
            <span className="kbd" aria-hidden="true">
              /
            </span>
          )}
        </label>
      </Form>
    </search>
  );
}

function takeFocus(field: HTMLInputElement | null): void {
  field?.focus();
}

/** For the `/` key: goes to the field, or opens the row that has it. */
export function focusSearch(): void {
  const field = [...document.querySelectorAll<HTMLElement>('[data-site-search]')].find((candidate) =>
    candidate.checkVisibility(),
  );
  if (field?.dataset.siteSearch === 'toggle') field.click();
  else field?.focus();
}
