import { expect, test } from 'vitest';
import { languageDirection, ownLanguageName } from './own-language-names.ts';

test('a language has its own name and direction', () => {
  expect(['fr', 'pt-BR', 'ar'].map(ownLanguageName)).toEqual(['Français', 'Português (Brasil)', 'العربية']);
  expect(['de', 'ar', 'fa', 'he', 'sr-Latn'].map(languageDirection)).toEqual(['ltr', 'rtl', 'rtl', 'rtl', 'ltr']);
});
