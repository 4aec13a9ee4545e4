import type { StripeElementClasses, StripeElementStyle } from '@stripe/stripe-js';
import { type Brand, brandRuleOf } from '../../cards/card-number.ts';
import { type FieldState, type FieldType, digitsOf, formatOf } from './card-formats.ts';
import { styleField } from './field-style.ts';

export type FieldOptions = {
  classes?: StripeElementClasses;
  style?: StripeElementStyle;
  placeholder?: string;
  disabled?: boolean;
};

type Handler = (event?: unknown) => unknown;

/** One of Stripe's split card fields as an element of the page: a label, an input, and its events. */
export type CardField = {
  type: FieldType;
  /** The input; sent only to the sandbox. */
  readonly value: string;
  readonly brand: Brand;
  /** Validates as if the field had just lost the focus. */
  check(): FieldState;
  mount(place: string | HTMLElement): void;
  unmount(): void;
  destroy(): void;
  update(options: FieldOptions): void;
  focus(): void;
  blur(): void;
  clear(): void;
  on(event: string, handler: Handler): CardField;
  once(event: string, handler: Handler): CardField;
  off(event: string, handler?: Handler): CardField;
};

const defaultClasses: Required<StripeElementClasses> = {
  base: 'StripeElement',
  complete: 'StripeElement--complete',
  empty: 'StripeElement--empty',
  focus: 'StripeElement--focus',
  invalid: 'StripeElement--invalid',
  webkitAutofill: 'StripeElement--webkit-autofill',
};

/** @param brandOfNumber brand of the number field beside it, which sets the length of the security code */
export function createCardField(
  type: FieldType,
  initial: FieldOptions,
  { brandOfNumber, onDestroy }: { brandOfNumber: () => Brand; onDestroy: () => void },
): CardField {
  const format = formatOf(type, brandOfNumber);
  const handlers = new Map<string, Set<Handler>>();
  const input = document.createElement('input');
  const style = styleField();
  let options = initial;
  let host: HTMLElement | undefined;
  let label: HTMLLabelElement | null = null;
  let wasLeft = false;
  let isDestroyed = false;
  let emitted = '';

  input.type = 'text';
  input.inputMode = 'numeric';
  input.autocomplete = format.autocomplete;
  input.name = format.name;
  input.spellcheck = false;
  input.autocapitalize = 'off';
  input.className = style.className;
  input.setAttribute('aria-label', format.label);

  const brand = () => brandRuleOf(digitsOf(input.value)).brand;
  const state = () => format.check(input.value, wasLeft);

  function emit(event: string, payload: object = { elementType: type }): void {
    for (const handler of handlers.get(event) ?? []) handler(payload);
  }

  function show(): void {
    const { empty, complete, error } = state();
    const isInvalid = error !== undefined;
    const names = { ...defaultClasses, ...options.classes };
    const toggle = (name: string, isOn: boolean) => {
      for (const one of name.split(/\s+/).filter(Boolean)) host?.classList.toggle(one, isOn);
    };
    toggle(names.base, true);
    toggle(names.empty, empty);
    toggle(names.complete, complete);
    toggle(names.invalid, isInvalid);
    toggle(names.focus, document.activeElement === input && host !== undefined);
    input.dataset.state = [empty && 'empty', complete && 'complete', isInvalid && 'invalid'].filter(Boolean).join(' ');
    input.setAttribute('aria-invalid', String(isInvalid));
    input.placeholder = options.placeholder ?? format.placeholder;
    input.disabled = options.disabled ?? false;
  }

  /** Emits one change event. */
  function emitChange(): void {
    show();
    const { empty, complete, error } = state();
    const event = {
      elementType: type,
      empty,
      complete,
      error,
      value: undefined,
      ...(type === 'cardNumber' ? { brand: brand() } : {}),
    };
    const now = JSON.stringify([event, error?.code]);
    if (now === emitted) return;
    emitted = now;
    emit('change', event);
  }

  function rewrite(isErasing: boolean): void {
    const before = digitsOf(input.value.slice(0, input.selectionStart ?? input.value.length)).length;
    const isAtEnd = input.selectionStart === input.value.length;
    const wanted = format.format(input.value, isErasing);
    if (wanted === input.value) return;
    input.value = wanted;
    if (isAtEnd || document.activeElement !== input) return;
    let at = 0;
    for (let digits = 0; at < wanted.length && digits < before; at += 1) if (/\d/.test(wanted[at] ?? '')) digits += 1;
    input.setSelectionRange(at, at);
  }

  input.addEventListener('input', (event) => {
    wasLeft = false;
    rewrite((event as InputEvent).inputType?.startsWith('delete') ?? false);
    emitChange();
  });
  input.addEventListener('focus', () => {
    show();
    emit('focus');
  });
  input.addEventListener('blur', () => {
    wasLeft = true;
    emitChange();
    emit('blur');
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') emit('escape');
  });

  const focus = () => input.focus();

  const field: CardField = {
    type,
    get value() {
      return input.value;
    },
    get brand() {
      return brand();
    },
    check() {
      wasLeft = true;
      emitChange();
      return state();
    },
    mount(place) {
      if (isDestroyed) throw new Error('This Element has already been destroyed. Please create a new one.');
      const found = typeof place === 'string' ? document.querySelector<HTMLElement>(place) : place;
      if (found === null) throw new Error(`The selector you specified (${String(place)}) applies to no DOM elements.`);
      field.unmount();
      host = found;
      host.replaceChildren(input);
      // A label with `for` names the container, which is no input itself.
      label = host.id === '' ? null : document.querySelector(`label[for="${CSS.escape(host.id)}"]`);
      label?.addEventListener('click', focus);
      style.change(options.style);
      show();
      queueMicrotask(() => emit('ready'));
    },
    unmount() {
      label?.removeEventListener('click', focus);
      input.remove();
      const names = Object.values({ ...defaultClasses, ...options.classes }).flatMap((name) => name.split(/\s+/));
      host?.classList.remove(...names.filter(Boolean));
      host = undefined;
    },
    destroy() {
      field.unmount();
      input.value = '';
      isDestroyed = true;
      style.remove();
      onDestroy();
    },
    update(changes) {
      options = { ...options, ...changes };
      style.change(options.style);
      show();
    },
    focus,
    blur: () => input.blur(),
    clear() {
      input.value = '';
      wasLeft = false;
      emitChange();
    },
    on(event, handler) {
      const known = handlers.get(event) ?? new Set();
      handlers.set(event, known.add(handler));
      return field;
    },
    once(event, handler) {
      const wrapped: Handler = (payload) => {
        field.off(event, wrapped);
        return handler(payload);
      };
      return field.on(event, wrapped);
    },
    off(event, handler) {
      if (handler === undefined) handlers.delete(event);
      else handlers.get(event)?.delete(handler);
      return field;
    },
  };
  return field;
}
