import { describe, expect, test } from 'vitest';
import { formatNames } from './names.ts';

describe('a list of names', () => {
  test('joins a few with and', () => {
    expect(formatNames([])).toBe('');
    expect(formatNames(['Maren Holt'])).toBe('Maren Holt');
    expect(formatNames(['Maren Holt', 'Idris Vale'])).toBe('Maren Holt and Idris Vale');
    expect(formatNames(['Maren Holt', 'Idris Vale', 'Wren Ashby'])).toBe('Maren Holt, Idris Vale and Wren Ashby');
  });

  test('counts the rest', () => {
    expect(formatNames(['Maren Holt', 'Idris Vale', 'Wren Ashby', 'Noor Azadi'])).toBe(
      'Maren Holt, Idris Vale, Wren Ashby and 1 more',
    );
    expect(formatNames(['Maren Holt', 'Idris Vale', 'Wren Ashby'], 7)).toBe(
      'Maren Holt, Idris Vale, Wren Ashby and 4 more',
    );
  });
});
