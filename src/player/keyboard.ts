export type KeyCommand =
  | 'toggle'
  | 'seek-back'
  | 'seek-forward'
  | 'next'
  | 'previous'
  | 'toggle-mute'
  | 'favorite'
  | 'queue'
  | 'search'
  | 'filters';

/** The properties of a `KeyboardEvent` that matter here, and those of its target. */
export type KeyEventLike = Pick<
  KeyboardEvent,
  'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'repeat'
> & { readonly target: unknown; readonly defaultPrevented?: boolean };
type TargetLike = Partial<Pick<HTMLInputElement, 'tagName' | 'type' | 'isContentEditable' | 'getAttribute'>>;

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
  ['shift f', 'filters'],
]);

const fieldTags = /^(?:input|textarea|select)$/i;
const fieldRoles = /^(?:textbox|searchbox|combobox)$/;
// Links are not here: Space does nothing on a link but scroll the page.
const pressedBySpaceTags = /^(?:button|summary|audio|video)$/i;
const pressedBySpaceRoles = /^(?:button|menuitem(?:checkbox|radio)?|option|tab|treeitem|checkbox|radio|switch)$/;

/**
 * The command for a key (product, "Playing"), or undefined. Ignores fields, Ctrl, Meta and Alt, and Space where it
 * activates the focused element. `isOn` is the listener's setting for single-key shortcuts (WCAG 2.1.4).
 */
export function keyCommand(event: KeyEventLike, isOn = true): KeyCommand | undefined {
  if (!isOn || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const target = (event.target ?? {}) as TargetLike;
  if (isField(target)) return undefined;
  const key = keyOf(event);
  if (key === ' ' && isPressedBySpace(target)) return undefined;
  // Some keyboards type the slash with Shift.
  const command = commands.get(event.shiftKey && key !== '/' ? `shift ${key}` : key);
  const isSeek = command === 'seek-back' || command === 'seek-forward';
  return event.repeat && !isSeek ? undefined : command;
}

/** The key in lower case; on a non-Latin keyboard, the Latin letter at the same position. */
function keyOf({ key, code }: KeyEventLike): string {
  const isForeignLetter = key.length === 1 && /\p{L}/u.test(key) && !/[a-z]/i.test(key);
  return (isForeignLetter && code.startsWith('Key') ? code.slice(3) : key).toLowerCase();
}

/** A slider does not count: it takes no text, and its own keys (arrows, Home, End, Page) are no commands. */
function isField(target: TargetLike): boolean {
  if (target.type === 'range') return false;
  return fieldTags.test(target.tagName ?? '') || target.isContentEditable === true || fieldRoles.test(roleOf(target));
}

function isPressedBySpace(target: TargetLike): boolean {
  return pressedBySpaceTags.test(target.tagName ?? '') || pressedBySpaceRoles.test(roleOf(target));
}

function roleOf(target: TargetLike): string {
  return target.getAttribute?.('role') ?? '';
}
