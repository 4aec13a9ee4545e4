import { t } from '@lingui/core/macro';
import { href } from 'react-router';
import type { EventName } from '#domain/analytics/forms.ts';

/** Main navigation in display order; each item tracks its click (spec §7). */
export const navigation = [
  { label: () => t`Library`, to: href('/library'), event: 'global_favorites_click' },
  { label: () => t`Categories`, to: href('/categories'), event: 'global_categories_click' },
  { label: () => t`Creators`, to: href('/creators'), event: 'global_voices_click' },
  { label: () => t`About`, to: href('/about'), event: 'global_about_click' },
] as const satisfies { label: () => string; to: string; event: EventName }[];
