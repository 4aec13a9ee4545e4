/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-to-interactive-role -- a combobox with a list of its own (WAI-ARIA 1.2) */
import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import X from 'lucide-react/icons/x';
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { FieldError } from '../../ui/fields/field.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { isComposing } from '../../ui/fields/is-composing.ts';

export type Token = {
  value: string;
  label: string;
  /** Tells choices with the same label apart. */
  detail?: string;
};

/** Choices for a typed text, or why they could not be read. */
export type Suggestions<Choice extends Token = Token> = Choice[] | { failure: string };

/** A pause for `pauseMs`, where choices are searched by the site. */
export const searchPauseMs = 150;

type TokenFieldProps<Choice extends Token> = {
  label: string;
  /** Name of the field, for links to it. */
  name?: string;
  tokens: Choice[];
  /** Maximum number of tokens. */
  max: number;
  /** In the empty field. */
  placeholder?: string;
  /** Choices for the typed text, best first. Must be a stable function. */
  suggest: (text: string) => Promise<Suggestions<Choice>> | Suggestions<Choice>;
  /** Milliseconds without a key before choices are asked for. */
  pauseMs?: number;
  /** Makes a token of any text; when absent, only choices are accepted. */
  create?: (text: string) => Choice | undefined;
  error?: string | undefined;
  hint?: string | undefined;
  onChange: (tokens: Choice[]) => void;
};

/**
 * Several values in one field, or one of many (ARIA combobox with a list). Arrows select, Enter and comma add, Backspace
 * in the empty field removes the last one.
 */
export function TokenField<Choice extends Token>({
  label,
  name: fieldName,
  tokens,
  max,
  placeholder = t`Add`,
  suggest,
  pauseMs = 0,
  create,
  error,
  hint,
  onChange,
}: TokenFieldProps<Choice>) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const takesFocus = useRef(false);
  const [text, setText] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  const [found, setFound] = useState<{ text: string; items: Choice[]; failure?: string }>({ text: '', items: [] });
  const [at, setAt] = useState(-1);
  const [announcement, setAnnouncement] = useState('');
  const count = tokens.length;
  const isFull = count >= max;
  const typed = text.trim();
  const offered = found.items.filter(({ value }) => !tokens.some((token) => token.value === value)).slice(0, 8);
  const choices = offered.length;
  const isShown = isOpen && offered.length > 0 && !isFull;

  const isAnswered = isOpen && !isFull && typed !== '' && found.text === typed;
  // New values may be made of any text: that no choice fits is no news then.
  const nothing = isAnswered && create === undefined && offered.length === 0 && t`Nothing found for “${typed}”`;
  const note = (isAnswered && found.failure) || nothing;

  useEffect(() => {
    if (!isOpen) return;
    let isCurrent = true;
    const ask = async () => {
      const answer = await suggest(typed);
      if (!isCurrent) return;
      setFound({ text: typed, ...(Array.isArray(answer) ? { items: answer } : { items: [], ...answer }) });
      setAt(-1);
    };
    const timer = pauseMs === 0 || typed === '' ? undefined : setTimeout(() => void ask(), pauseMs);
    if (timer === undefined) void ask();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [isOpen, typed, suggest, pauseMs]);

  // The field goes when it is full, and comes back when it no longer is.
  useLayoutEffect(() => {
    if (!takesFocus.current) return;
    takesFocus.current = false;
    (field.current ?? box.current?.querySelector<HTMLElement>('[data-token]:last-of-type button'))?.focus();
  });

  function add(token: Choice | undefined): void {
    if (token === undefined || isFull) return;
    setText('');
    if (tokens.some(({ value }) => value === token.value)) return;
    takesFocus.current = document.activeElement === field.current;
    onChange([...tokens, token]);
    const { label: name } = token;
    setAnnouncement(t`${name} added`);
  }

  function remove(token: Choice): void {
    onChange(tokens.filter(({ value }) => value !== token.value));
    const { label: name } = token;
    setAnnouncement(t`${name} removed`);
    takesFocus.current = true;
  }

  function addTyped(): void {
    if (typed === '') return;
    // Choices for an earlier text are not what was meant.
    const fitting = found.text === typed ? offered : [];
    const exact = fitting.find((choice) => choice.label.toLowerCase() === typed.toLowerCase());
    add(offered[at] ?? exact ?? create?.(typed) ?? (create === undefined ? fitting[0] : undefined));
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (isComposing(event)) return;
    const last = tokens.at(-1);
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setIsOpen(true);
      if (offered.length === 0) return;
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setAt((before) => (before + step + offered.length + (before === -1 && step === -1 ? 1 : 0)) % offered.length);
    } else if (event.key === 'Enter' || event.key === ',') {
      if (event.key === ',' || text.trim() !== '' || at !== -1) event.preventDefault();
      if (at !== -1) add(offered[at]);
      else addTyped();
    } else if (event.key === 'Escape' && isShown) {
      event.preventDefault();
      // A dialog around it stays open.
      event.stopPropagation();
      setIsOpen(false);
    } else if (event.key === 'Backspace' && text === '' && last !== undefined) remove(last);
  }

  return (
    <div className="field" data-field={fieldName}>
      <label htmlFor={id}>{label}</label>
      {max > 1 && (
        <span className="field__optional tabular-nums">
          <Trans>
            {count} of {max}
          </Trans>
        </span>
      )}
      <div ref={box} className={classNames('token-box', error !== undefined && 'input--error')}>
        {tokens.map((token) => (
          <span
            key={token.value}
            className="forced-colors:border forced-colors:border-[ButtonBorder] inline-flex items-center min-h-8 pe-1 ps-3 rounded-full bg-overlay text-13 font-medium max-lg:min-h-11"
            data-token
          >
            <span className="wrap-anywhere">{token.label}</span>
            <button
              className="size-7 grid place-items-center rounded-full text-muted max-lg:size-11 max-lg:-me-1"
              type="button"
              aria-label={removeText(token)}
              onClick={() => remove(token)}
            >
              <Icon of={X} size={16} />
            </button>
          </span>
        ))}
        {!isFull && (
          <input
            ref={field}
            id={id}
            role="combobox"
            aria-expanded={isShown}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={isShown && at !== -1 ? `${id}-${at}` : undefined}
            aria-describedby={error !== undefined ? `${id}-note` : hint !== undefined ? `${id}-hint` : undefined}
            aria-invalid={error !== undefined || undefined}
            autoComplete="off"
            placeholder={placeholder}
            value={text}
            onChange={({ target }) => {
              setText(target.value);
              setIsOpen(true);
              setAnnouncement('');
            }}
            onFocus={() => setIsOpen(true)}
            onBlur={() => {
              setIsOpen(false);
              if (create !== undefined) addTyped();
              else setText('');
            }}
            onKeyDown={onKeyDown}
          />
        )}
        {isShown && (
          // Not a Tab stop, which browsers make of scrollable elements: it closes when the field is left.
          <ul
            className="absolute inset-x-0 top-[calc(100%+4px)] z-(--z-sticky) max-h-70 overflow-y-auto rounded-cover bg-raised p-1.5 [box-shadow:var(--sh-3),inset_0_0_0_1px_var(--line)]"
            id={`${id}-list`}
            role="listbox"
            tabIndex={-1}
            aria-label={label}
          >
            {offered.map((choice, index) => (
              // Keys are handled by the field, which keeps the focus.
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
              <li
                key={choice.value}
                id={`${id}-${index}`}
                className="flex min-h-10 cursor-pointer items-center rounded-tag px-2.5 text-14 hover:bg-overlay aria-selected:bg-overlay max-lg:min-h-11"
                role="option"
                aria-selected={index === at}
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => add(choice)}
              >
                <span className="max-w-[70%] flex-none truncate">{choice.label}</span>
                {choice.detail !== undefined && (
                  <small className="ms-auto overflow-hidden ps-3 text-ellipsis whitespace-nowrap">
                    {choice.detail}
                  </small>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
      <output className={note ? 'field__note text-13 text-muted' : 'sr-only'}>
        {announcement || note || (isAnswered && isShown && plural(choices, { one: '# found', other: '# found' }))}
      </output>
      {hint !== undefined && (
        <div id={`${id}-hint`} className="field__note">
          <p className="hint">{hint}</p>
        </div>
      )}
      {error !== undefined && (
        <div className="field__note">
          <FieldError id={`${id}-note`}>{error}</FieldError>
        </div>
      )}
    </div>
  );
}

function removeText({ label: name }: Token): string {
  return t`Remove ${name}`;
}
