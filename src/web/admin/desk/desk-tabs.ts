import { t } from '@lingui/core/macro';
import { href } from 'react-router';
import type { DeskWaiting } from '#domain/admin/desk/waiting.ts';

type DeskTab = {
  to: string;
  label: string;
  /** The count that it shows. */
  waits?: keyof DeskWaiting;
};

export const deskTabs = (): DeskTab[] => [
  { to: href('/admin/desk'), label: t`Overview` },
  { to: href('/admin/desk/notices'), label: t`Notices`, waits: 'notices' },
  { to: href('/admin/desk/review'), label: t`Review`, waits: 'review' },
  { to: href('/admin/desk/appeals'), label: t`Appeals`, waits: 'appeals' },
  { to: href('/admin/desk/decided'), label: t`Decided` },
];

export function sumOf(waiting: DeskWaiting): number {
  return Object.values(waiting).reduce((sum, count) => sum + count, 0);
}
