import { languageFacts } from '#i18n';

/** `6.4`, with the decimal sign of the language. */
export function formatDecimal(value: number, digits = 1): string {
  return value.toFixed(digits).replace('.', languageFacts().decimal);
}
