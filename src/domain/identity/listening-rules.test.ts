import { expect, test } from 'vitest';
import { visitor } from '../kernel/viewer.ts';
import { ListeningInput } from './forms.ts';
import {
  keyOfListening,
  listeningCookie,
  listeningIn,
  listeningOfCookies,
  listeningToCookie,
  withListening,
} from './listening-rules.ts';

test.each([
  [{ listensTo: ['de'], hidesOtherComments: false }, 'de'],
  [{ listensTo: ['de', 'fil'], hidesOtherComments: true }, 'de.fil.only'],
])('%j is the cookie %s, and is read from it', (choice, value) => {
  expect(listeningToCookie(choice)).toBe(value);
  expect(listeningOfCookies(`a=b; ${listeningCookie}=${value}; c=d`)).toEqual(listeningIn(choice));
});

test('no choice is no cookie', () => {
  expect(listeningToCookie({ listensTo: null, hidesOtherComments: false })).toBeUndefined();
});

test.each([
  ['a=b', {}],
  [`${listeningCookie}=`, {}],
  [`${listeningCookie}=only`, {}],
  [`${listeningCookie}=DE`, {}],
  [`${listeningCookie}=de.(x|y)`, {}],
  [`not_${listeningCookie}=de`, {}],
  [`${listeningCookie}=${'de.'.repeat(60)}de`, {}],
  // One order, or a cache would keep the same page several times.
  [`${listeningCookie}=en.de.en`, { listensTo: ['de', 'en'] }],
])('the cookies “%s” choose %j', (cookies, listening) => {
  expect(listeningOfCookies(cookies)).toEqual(listening);
});

test('the cookie applies until the account has a choice, if only for all languages', () => {
  const [browser, user] = [{ listensTo: ['de'] }, { kind: 'user', id: 'u', isSubscribed: false, isComplete: true }];
  const listensTo = (stored: object) => withListening({ ...user, ...stored } as never as typeof visitor, browser);
  expect(withListening(visitor, browser)).toEqual({ kind: 'visitor', listensTo: ['de'] });
  expect(listensTo({})).toMatchObject(browser);
  expect(listensTo(listeningIn({ listensTo: null }))).toMatchObject({ listensTo: null });
  expect(listensTo(listeningIn({ listensTo: ['fr'] }))).toMatchObject({ listensTo: ['fr'] });
});

test('keys of caches tell choices apart, and have nothing without one', () => {
  const choices = [{ listensTo: ['de'] }, { listensTo: ['de', 'en'] }, { listensTo: ['de'], readsOnly: ['de'] }];
  expect(new Set(choices.map(keyOfListening)).size).toBe(3);
  expect([keyOfListening({}), keyOfListening({ listensTo: null })]).toEqual(['', '']);
});

test.each([
  [
    ['pt-BR', 'de', 'PT'],
    ['de', 'pt'],
  ],
  [['xx'], undefined],
  [['zxx'], undefined],
  [['de; drop'], undefined],
  [[], undefined],
  [Array.from({ length: 51 }, () => 'de'), undefined],
])('the languages %j are taken as %j', (listensTo, taken) => {
  expect(ListeningInput.safeParse({ listensTo }).data?.listensTo).toEqual(taken);
});
