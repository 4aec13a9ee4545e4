import { expect, test } from 'vitest';
import { commentHolds } from '../catalogue/rules.ts';
import { findHold, markHeld } from './holding.ts';
import { CommentSettingsInput } from './forms.ts';
import { type HeldReason, maxHeldWords } from './rules.ts';

const texts = {
  plain: 'The pause before the last line is exactly right.',
  link: 'More of it at shop.example.com/x, really!',
  unkind: 'You are so stupid.',
};

test.each([
  ['none', { plain: undefined, link: undefined, unkind: undefined }],
  ['links', { plain: undefined, link: 'link', unkind: undefined }],
  ['unkind', { plain: undefined, link: 'link', unkind: 'unkind' }],
  ['all', { plain: 'all', link: 'link', unkind: 'unkind' }],
] as const)('“%s” holds this much, and own words in any case', (hold, reasons) => {
  for (const [kind, reason] of Object.entries(reasons))
    expect([kind, findHold(texts[kind as keyof typeof texts], { hold, words: [] })?.heldFor]).toEqual([kind, reason]);
  expect(findHold(`${texts.link} address`, { hold, words: ['name', 'address'] })).toEqual({
    heldFor: 'word',
    heldWord: 'address',
  });
});

test.each([
  ['address', 'What is your ADDRESS?', 'ADDRESS'],
  ['address', 'Your address’s number', 'address’s'],
  ['address', 'readdress, addresses, my_addressbook'],
  ['address', 'add ress'],
  ['meet up', 'Could we Meet  up?', 'Meet  up'],
  ['meet up', 'meet him up'],
  ['cafe', 'In the Café', 'Café'],
  ['straße', 'Welche Strasse?', 'Strasse'],
  ['straße', 'Straßen'],
  ['ИМЯ', 'Какое твое имя', 'имя'],
  ['имя', 'имянаречение'],
  ['οδός', 'Ποια ΟΔΟΣ;', 'ΟΔΟΣ'],
  ['عنوان', 'ما عُنْوَان بيتك؟', 'عُنْوَان'],
  ['عنوان', 'عنوانها'],
  ['住所', 'あなたの住所は？', '住所'],
  ['ที่อยู่', 'ขอที่อยู่หน่อย', 'ที่อยู่'],
  ['शहर', 'तुम्हारा शहर?', 'शहर'],
  ['🔥', 'so🔥good', '🔥'],
])('%j as an own word, in %j', (word, text, marked?: string) => {
  const held = findHold(text, { hold: 'none', words: [word] });
  expect(held).toEqual(marked === undefined ? undefined : { heldFor: 'word', heldWord: word });
  if (held !== undefined) expect(markHeld(text, held).map(([from, to]) => text.slice(from, to))).toEqual([marked]);
});

test.each([
  ['WHO ASKED YOU TO READ', true],
  ['OMG WOW YES', false],
  ['I love the NHS and NASA a lot', false],
  ['ICH WILL DAS NICHT', true],
  ['العربية بلا أحرف كبيرة', false],
  ['stooooooop', false],
  ['stoooooooop', true],
  ['Lovely!!!!', false],
  ['Lovely!!!!!', true],
  ['Du bist DUMM', true],
  ['The dumbest of bells', false],
  ['Ta gueule.', true],
  ['Qué ASCO', true],
  ['Con cariño, nul besoin', false],
  ['أنت غبي', true],
  ['Kill your darlings', false],
])('%j is likely unkind: %s', (text, isHeld) => {
  expect(findHold(text, { hold: 'unkind', words: [] })?.heldFor).toBe(isHeld ? 'unkind' : undefined);
});

test('marks are what held it', () => {
  const marked = (text: string, heldFor: HeldReason | null) =>
    markHeld(text, { heldFor, heldWord: null }).map(([from, to]) => text.slice(from, to));
  expect(marked('See (https://a.example/x?y=1), or www.b.example.', 'link')).toEqual([
    '(https://a.example/x?y=1',
    'www.b.example',
  ]);
  expect(marked('More at shop.example.com!', null)).toEqual(['shop.example.com']);
  expect(marked('Stupid, STUPID idiot', 'unkind')).toEqual(['Stupid', 'STUPID', 'idiot']);
  expect(marked('See https://a.example', 'all')).toEqual([]);
});

test('own words are words, each once, and not too many', () => {
  const parse = (words: unknown) => CommentSettingsInput.safeParse({ words });
  expect(parse([' Café', 'cafe', 'meet up']).data?.words).toEqual(['cafe', 'meet up']);
  for (const wrong of [[''], ['  '], ['...'], ['a\nb'], ['a'.repeat(61)], [7], 'address', [null]])
    expect(parse(wrong).success, JSON.stringify(wrong)).toBe(false);
  const many = Array.from({ length: maxHeldWords + 1 }, (_, n) => `word${n}`);
  expect([parse(many).success, parse(many.slice(1)).success]).toEqual([false, true]);
  for (const hold of commentHolds) expect(CommentSettingsInput.safeParse({ hold }).success).toBe(true);
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  for (const [pausedUntil, isRight] of [
    [day(-1), false],
    [day(1), true],
    [day(367), false],
    ['soon', false],
    [null, true],
  ])
    expect([pausedUntil, CommentSettingsInput.safeParse({ pausedUntil }).success]).toEqual([pausedUntil, isRight]);
});
