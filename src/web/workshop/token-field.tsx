/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-to-interactive-role -- a combobox with a list of its own (WAI-ARIA 1.2) */
import X from 'lucide-react/icons/x';
import { useEffect, useId, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { classNames } from '../ui/class-names.ts';
import { FieldError } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';

export type Token = { value: string; label: string };

type TokenFieldProps = {
  label: string;
  tokens: Token[];
  /** Maximum number of tokens. */
  most: number;
  /** Suggestions for the typed text, best first. Must be a stable function. */
  suggest: (text: string) => Promise<Token[]> | Token[];
  /** Makes a token of any text; when absent, only suggestions are accepted. */
  create?: (text: string) => Token | undefined;
  error?: string | undefined;
  onChange: (tokens: Token[]) => void;
};

/**
 * Several values in one field (ARIA combobox with a list). Arrows select, Enter and comma add, Backspace in the empty
 * field removes the last one.
 */
export function TokenField({ label, tokens, most, suggest, create, error, onChange }: TokenFieldProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  const [choices, setChoices] = useState<Token[]>([]);
  const [at, setAt] = useState(-1);
  const [said, setSaid] = useState('');
  const isFull = tokens.length >= most;
  const offered = choices.filter(({ value }) => !tokens.some((token) => token.value === value)).slice(0, 8);
  const isShown = isOpen && offered.length > 0 && !isFull;

  useEffect(() => {
    if (!isOpen) return;
    let isCurrent = true;
    void Promise.resolve(suggest(text.trim())).then((found) => {
      if (!isCurrent) return;
      setChoices(found);
      setAt(-1);
    });
    return () => {
      isCurrent = false;
    };
  }, [isOpen, text, suggest]);

  function add(token: Token | undefined): void {
    if (token === undefined || isFull) return;
    setText('');
    if (tokens.some(({ value }) => value === token.value)) return;
    onChange([...tokens, token]);
    setSaid(`${token.label} added`);
  }

  function remove(token: Token): void {
    onChange(tokens.filter(({ value }) => value !== token.value));
    setSaid(`${token.label} removed`);
    field.current?.focus();
  }

  function addTyped(): void {
    const typed = text.trim();
    if (typed === '') return;
    const exact = offered.find((choice) => choice.label.toLowerCase() === typed.toLowerCase());
    add(offered[at] ?? exact ?? create?.(typed) ?? (create === undefined ? offered[0] : undefined));
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
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
      setIsOpen(false);
    } else if (event.key === 'Backspace' && text === '' && last !== undefined) remove(last);
  }

  return (
    <div className="fld tokf">
      <label htmlFor={id}>{label}</label>
      <span className="fld__o tabular-nums">
        {tokens.length} of {most}
      </span>
      <div className={classNames('toks', error !== undefined && 'in--err')}>
        {tokens.map((token) => (
          <span key={token.value} className="tok">
            {token.label}
            <button type="button" aria-label={`Remove ${token.label}`} onClick={() => remove(token)}>
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
            aria-describedby={error === undefined ? undefined : `${id}-note`}
            aria-invalid={error !== undefined || undefined}
            autoComplete="off"
            placeholder="Add"
            value={text}
            onChange={({ target }) => {
              setText(target.value);
              setIsOpen(true);
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
          <ul className="tokf__l" id={`${id}-list`} role="listbox" tabIndex={-1} aria-label={label}>
            {offered.map((choice, index) => (
              // Keys are handled by the field, which keeps the focus.
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
              <li
                key={choice.value}
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === at}
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => add(choice)}
              >
                {choice.label}
              </li>
            ))}
          </ul>
        )}
      </div>
      <output className="sr-only">{said}</output>
      {error !== undefined && (
        <div className="fld__n">
          <FieldError id={`${id}-note`}>{error}</FieldError>
        </div>
      )}
    </div>
  );
}
