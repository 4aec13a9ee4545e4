import { i18n } from '#i18n';
import type { ReturnReason } from './rules.ts';

const sentences: Record<ReturnReason, () => string> = {
  'consent-missing': () =>
    i18n._(/*i18n*/ { id: 'review.consent-missing', message: 'The consent of a performer is missing.' }),
  'wrong-notes': () => i18n._(/*i18n*/ { id: 'review.wrong-notes', message: 'The tags or categories do not fit.' }),
  'text-differs': () => i18n._(/*i18n*/ { id: 'review.text-differs', message: 'The text differs from what is heard.' }),
  sound: () => i18n._(/*i18n*/ { id: 'review.sound', message: 'There is something wrong with the sound.' }),
  other: () => '',
};

/** Standard sentence of a reason to return an audio; empty for `other`. */
export const returnText = (reason: ReturnReason): string => sentences[reason]();
