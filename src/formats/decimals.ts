import { languageFacts } from '#i18n';

/** `6.4`, with the decimal sign of the language. */
export function formatDecimal(value: number): string {
  return value.toFixed(1).replace('.', languageFacts().decimal);
}
