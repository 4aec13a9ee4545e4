import { t } from '@lingui/core/macro';
import type { AudioText } from '#domain/catalogue/rules.ts';

type Words = { label(): string; hint(): string; withinSentence(): string; tooLong(max: number): string };

export const audioTextWords: Record<AudioText, Words> = {
  badge: {
    label: () => t`Badge`,
    hint: () => t`A word on the cover, such as New.`,
    withinSentence: () => t({ message: 'badge', context: 'within a sentence' }),
    tooLong: (max) => t`A badge has up to ${max} characters`,
  },
};
