import { t } from '@lingui/core/macro';
import type { CommentHold } from '#domain/catalogue/rules.ts';

/** Names of the comments that are held until the creator has read them. */
export const holdWords: Record<CommentHold, () => { label: string; note?: string }> = {
  none: () => ({ label: t({ message: 'Nothing', context: 'what is held' }) }),
  links: () => ({ label: t`With links` }),
  unkind: () => ({
    label: t`Likely unkind, and with links`,
    note: t`A list of words and a few rules on this server. No service reads along.`,
  }),
  all: () => ({
    label: t({ message: 'All', context: 'what is held' }),
    note: t`Nothing shows before you have seen it.`,
  }),
};
