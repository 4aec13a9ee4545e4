import { describe, expect, test } from 'vitest';
import { arrivalOf, shareAddress } from './arrival.ts';

describe('a share link with a time', () => {
  test('starts the audio of its page at that time', () => {
    expect(arrivalOf({ pathname: '/audio/bright-star', search: '?t=95' })).toEqual({ key: 'bright-star', seconds: 95 });
    expect(arrivalOf({ pathname: '/audio/bright-star/', search: '?promoCode=x&t=1' })).toEqual({
      key: 'bright-star',
      seconds: 1,
    });
  });

  test.each(['', '?t=', '?t=0', '?t=-5', '?t=1e3', '?t=NaN', '?t=12:30', '?t=99999999999'])(
    'asks for nothing with %j',
    (search) => {
      expect(arrivalOf({ pathname: '/audio/bright-star', search })).toBeUndefined();
    },
  );

  test('is ignored on other pages', () => {
    expect(arrivalOf({ pathname: '/series/letters', search: '?t=95' })).toBeUndefined();
    expect(arrivalOf({ pathname: '/audio/a/b', search: '?t=95' })).toBeUndefined();
  });

  test('is parsed back from the copied address', () => {
    const address = new URL(shareAddress('bright-star', 95.8, 'https://sotto.example'));
    expect(address.href).toBe('https://sotto.example/audio/bright-star?t=95');
    expect(arrivalOf(address)).toEqual({ key: 'bright-star', seconds: 95 });
  });

  test('has no time for the beginning', () => {
    expect(shareAddress('bright-star', 0.4, 'https://sotto.example')).toBe('https://sotto.example/audio/bright-star');
  });
});
