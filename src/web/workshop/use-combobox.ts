import {
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useEffectEvent,
  useId,
  useState,
} from 'react';
import type { Answer } from '../api.ts';
import { isComposing } from '../ui/fields/is-composing.ts';

type ComboboxOptions<Option> = {
  /** Milliseconds without a key before a search begins. */
  pauseMs: number;
  /** Whether an empty field shows options too. */
  searchesEmpty?: boolean;
  search: (text: string, signal: AbortSignal) => Promise<Answer<{ items: Option[] }>>;
  /** The options of what was found; default: all. */
  optionsOf?: (items: Option[], text: string) => Option[];
  canChoose?: (option: Option) => boolean;
  onChoose: (option: Option) => void;
};

/**
 * A field that finds while the user types, with a list below it (WAI-ARIA APG, combobox): arrows move, Enter chooses,
 * Escape closes the list. The focus stays in the field.
 * @returns props of the field, of the list and of each option, and what is shown
 */
export function useCombobox<Option>({
  pauseMs,
  searchesEmpty = false,
  search,
  optionsOf = (items) => items,
  canChoose = () => true,
  onChoose,
}: ComboboxOptions<Option>) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  const [found, setFound] = useState<{ text: string; items: Option[] } | { text: string; failure: string }>();
  const [active, setActive] = useState(0);
  const text = typed.trim();
  const isWanted = isOpen && (searchesEmpty || text !== '');

  const onPause = useEffectEvent(search);
  useEffect(() => {
    if (!isWanted) return undefined;
    const aborting = new AbortController();
    const { signal } = aborting;
    const timer = setTimeout(
      async () => {
        const answer = await onPause(text, signal);
        if (signal.aborted) return;
        setActive(0);
        setFound(answer.ok ? { text, items: answer.data.items } : { text, failure: answer.message });
      },
      text === '' ? 0 : pauseMs,
    );
    return () => {
      clearTimeout(timer);
      aborting.abort();
    };
  }, [isWanted, text, pauseMs]);

  const shown = isWanted ? found : undefined;
  const options = shown !== undefined && 'items' in shown ? optionsOf(shown.items, text) : [];

  function choose(option: Option | undefined): void {
    if (option === undefined || !canChoose(option)) return;
    setTyped('');
    if (!searchesEmpty) setFound(undefined);
    onChoose(option);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      setIsOpen(true);
      if (options.length > 0) setActive((active + step + options.length) % options.length);
    } else if (event.key === 'Enter') {
      if (isOpen) choose(options[active]);
      else setIsOpen(true);
    } else if (event.key === 'Escape' && shown !== undefined) setIsOpen(false);
    else return;
    event.preventDefault();
  }

  return {
    id,
    options,
    active,
    /** Undefined: nothing is shown. */
    shown,
    clear: () => setTyped(''),
    field: {
      role: 'combobox',
      autoComplete: 'off',
      'aria-expanded': shown !== undefined,
      'aria-controls': `${id}-list`,
      'aria-autocomplete': 'list',
      'aria-activedescendant': options[active] === undefined ? undefined : `${id}-${active}`,
      value: typed,
      onChange({ target }: { target: HTMLInputElement }) {
        setTyped(target.value);
        setIsOpen(true);
      },
      onFocus: () => setIsOpen(true),
      onClick: () => setIsOpen(true),
      onBlur: (_event: FocusEvent) => setIsOpen(false),
      onKeyDown,
    } as const,
    list: { id: `${id}-list`, role: 'listbox', tabIndex: -1 } as const,
    option: (option: Option, index: number) =>
      ({
        id: `${id}-${index}`,
        role: 'option',
        'aria-selected': index === active,
        'aria-disabled': !canChoose(option) || undefined,
        // The field keeps the focus.
        onPointerDown: (event: PointerEvent) => event.preventDefault(),
        onMouseEnter: () => setActive(index),
        onClick: () => choose(option),
      }) as const,
  };
}
