export type KeyCommand =
  | 'toggle'
  | 'seek-back'
  | 'seek-forward'
  | 'next'
  | 'previous'
  | 'toggle-mute'
  | 'favorite'
  | 'queue'
  | 'search';

/** The part of a `KeyboardEvent` that is looked at. */
export type KeyEventLike = Pick<
  KeyboardEvent,
  'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'repeat'
> & {
  readonly target: unknown;
  readonly defaultPrevented?: boolean;
};

/** The part of an element that is looked at. */
type TargetLike = {
  tagName?: unknown;
  type?: unknown;
  isContentEditable?: unknown;
  getAttribute?: (name: string) => string | null;
};

const commands: ReadonlyMap<string, KeyCommand> = new Map([
  [' ', 'toggle'],
  ['shift arrowleft', 'seek-back'],
  ['shift arrowright', 'seek-forward'],
  ['n', 'next'],
  ['p', 'previous'],
  ['m', 'toggle-mute'],
  ['f', 'favorite'],
  ['q', 'queue'],
  ['/', 'search'],
]);

const fieldTags = new Set(['INPUT', 'TEXTAREA', 'SELECT']);
const fieldRoles = new Set(['textbox', 'searchbox', 'combobox']);
const pressedBySpaceTags = new Set(['BUTTON', 'A', 'SUMMARY', 'AUDIO', 'VIDEO']);
const pressedBySpaceRoles = new Set([
  'button',
  'link',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'tab',
  'checkbox',
  'radio',
  'switch',
]);

/**
 * What a key asks for (product, "Playing"), or undefined. Nothing in fields, nothing with Ctrl, Meta or Alt, no Space
 * where Space presses what has the focus. `isOn` is the listener's switch for single keys (WCAG 2.1.4).
 */
export function keyCommand(event: KeyEventLike, isOn = true): KeyCommand | undefined {
  if (!isOn || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const target = (event.target ?? {}) as TargetLike;
  if (isField(target)) return undefined;
  const key = keyOf(event);
  if (key === ' ' && isPressedBySpace(target)) return undefined;
  // Some keyboards have the slash on a shifted key.
  const command = commands.get(event.shiftKey && key !== '/' ? `shift ${key}` : key);
  const isSeek = command === 'seek-back' || command === 'seek-forward';
  return event.repeat && !isSeek ? undefined : command;
}

/** The key in lower case; on a keyboard without Latin letters, the letter that is printed in that place elsewhere. */
function keyOf({ key, code }: KeyEventLike): string {
  const isForeignLetter = key.length === 1 && /\p{L}/u.test(key) && !/[a-z]/i.test(key);
  return (isForeignLetter && code.startsWith('Key') ? code.slice(3) : key).toLowerCase();
}

/** A slider is none: nothing is typed there, and its own keys (arrows, Home, End, Page) are not among the commands. */
function isField(target: TargetLike): boolean {
  if (tagOf(target) === 'INPUT' && target.type === 'range') return false;
  return fieldTags.has(tagOf(target)) || target.isContentEditable === true || fieldRoles.has(roleOf(target));
}

function isPressedBySpace(target: TargetLike): boolean {
  return pressedBySpaceTags.has(tagOf(target)) || pressedBySpaceRoles.has(roleOf(target));
}

function tagOf({ tagName }: TargetLike): string {
  return typeof tagName === 'string' ? tagName.toUpperCase() : '';
}

function roleOf(target: TargetLike): string {
  return target.getAttribute?.('role') ?? '';
}
