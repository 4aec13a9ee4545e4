import { expect, test } from 'vitest';
import { type KeyEventLike, keyCommand } from './keyboard.ts';

const element = (tagName: string, more: { role?: string; type?: string; isContentEditable?: boolean } = {}) => ({
  tagName,
  type: more.type,
  isContentEditable: more.isContentEditable ?? false,
  getAttribute: (name: string) => (name === 'role' ? (more.role ?? null) : null),
});

const press = (key: string, more: Partial<KeyEventLike> = {}): KeyEventLike => ({
  key,
  code: '',
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  repeat: false,
  target: element('BODY'),
  ...more,
});

test.each([
  [press(' '), 'toggle'],
  [press('ArrowLeft', { shiftKey: true }), 'seek-back'],
  [press('ArrowRight', { shiftKey: true }), 'seek-forward'],
  [press('n'), 'next'],
  [press('P'), 'previous'],
  [press('m'), 'toggle-mute'],
  [press('f'), 'favorite'],
  [press('Q'), 'queue'],
  [press('/'), 'search'],
  [press('/', { shiftKey: true }), 'search'],
  [press('F', { shiftKey: true }), 'filters'],
  [press('т', { code: 'KeyN' }), 'next'],
])('%j asks for %s', (event, command) => {
  expect(keyCommand(event)).toBe(command);
});

test.each([
  press('ArrowLeft'),
  press('N', { shiftKey: true }),
  press(' ', { shiftKey: true }),
  press('x'),
  press('Escape'),
])('%o asks for nothing', (event) => {
  expect(keyCommand(event)).toBeUndefined();
});

test('names of object members are no keys', () => {
  expect(keyCommand(press('constructor'))).toBeUndefined();
});

test.each([
  element('INPUT'),
  element('TEXTAREA'),
  element('SELECT'),
  element('P', { isContentEditable: true }),
  element('DIV', { role: 'textbox' }),
])('nothing happens in a field', (target) => {
  for (const key of [' ', 'n', 'm', '/']) expect(keyCommand(press(key, { target }))).toBeUndefined();
});

test('a slider handles its own keys, and all others work while it has the focus', () => {
  const target = element('INPUT', { type: 'range', role: 'slider' });
  const asked = (key: string, more: Partial<KeyEventLike> = {}) => keyCommand(press(key, { target, ...more }));
  expect([' ', 'n', 'p', 'm', 'f', 'q', '/'].map((key) => asked(key))).toEqual([
    'toggle',
    'next',
    'previous',
    'toggle-mute',
    'favorite',
    'queue',
    'search',
  ]);
  expect(asked('ArrowRight', { shiftKey: true })).toBe('seek-forward');
  for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown'])
    expect(asked(key)).toBeUndefined();
  expect(keyCommand(press('n', { target: element('INPUT', { type: 'text' }) }))).toBeUndefined();
});

test('Space on a link plays or pauses', () => {
  expect(keyCommand(press(' ', { target: element('A') }))).toBe('toggle');
  expect(keyCommand(press(' ', { target: element('A', { role: 'menuitem' }) }))).toBeUndefined();
});

test.each([element('BUTTON'), element('A', { role: 'tab' }), element('summary'), element('DIV', { role: 'menuitem' })])(
  'Space presses the focused control, and other keys keep working there',
  (target) => {
    expect(keyCommand(press(' ', { target }))).toBeUndefined();
    expect(keyCommand(press('n', { target }))).toBe('next');
  },
);

test.each(['ctrlKey', 'metaKey', 'altKey'] as const)('nothing happens with %s', (modifier) => {
  expect(keyCommand(press('n', { [modifier]: true }))).toBeUndefined();
});

test('a held key repeats seeking, but no other command', () => {
  expect(keyCommand(press('ArrowLeft', { shiftKey: true, repeat: true }))).toBe('seek-back');
  expect(keyCommand(press('n', { repeat: true }))).toBeUndefined();
  expect(keyCommand(press(' ', { repeat: true }))).toBeUndefined();
});

test('gives no command when switched off or already handled', () => {
  expect(keyCommand(press('n'), false)).toBeUndefined();
  expect(keyCommand(press('n', { defaultPrevented: true }))).toBeUndefined();
});

test('a target that is no element does not count as a field', () => {
  expect(keyCommand(press('n', { target: null }))).toBe('next');
});
