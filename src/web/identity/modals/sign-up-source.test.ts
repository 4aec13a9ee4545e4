import { expect, test } from 'vitest';
import { noModal } from './modal-state.ts';
import { signUpSourceOf } from './sign-up-source.ts';

const prompt = { title: 'Sign in to keep “Bright Star”' };

test.each([
  ['home', {}, { pathname: '/' }],
  ['page', {}, { pathname: '/audios' }],
  ['prompt', { prompt }, { pathname: '/' }],
  ['prompt', { subscribeName: 'Bright Star' }, { pathname: '/audio/bright-star' }],
  ['shared-link', { prompt }, { pathname: '/audio/bright-star', isSharedLink: true }],
  ['gift-card', { prompt }, { pathname: '/gift-card/redeem' }],
  ['paid-link', { isTroughPaidlink: true, prompt }, { pathname: '/gift-card' }],
] as const)('a sign-up counts for %s', (source, state, place) => {
  expect(signUpSourceOf({ ...noModal, ...state }, { isSharedLink: false, ...place })).toBe(source);
});
