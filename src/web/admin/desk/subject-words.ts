import { t } from '@lingui/core/macro';
import type { NoticeSubject, NoticeVerb } from '#domain/notices/rules.ts';

/** `b.finch, a comment`; audios and creators stand for themselves. */
export function subjectTitle({ type, name }: { type: NoticeSubject; name: string }): string {
  if (type === 'comment') return t`${name}, a comment`;
  if (type === 'user') return t`${name}, a profile`;
  if (type === 'user-playlist') return t`${name}, a playlist`;
  return name;
}

export const decidedWords: Record<NoticeVerb, () => string> = {
  keep: () => t`Stays online`,
  hide: () => t`Stays hidden`,
  remove: () => t({ message: 'Removed', context: 'notice' }),
};
