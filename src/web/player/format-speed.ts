import { languageFacts } from '#i18n';

export function formatSpeed(rate: number): string {
  return `${rate}×`.replace('.', languageFacts().decimal);
}
