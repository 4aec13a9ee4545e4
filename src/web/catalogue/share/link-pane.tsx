import { t } from '@lingui/core/macro';
import { sharedAddress } from '#web/analytics/shared-link.ts';
import { shareAddress } from '#web/listening/arrival.ts';
import type { Playable } from '#web/listening/track-of.ts';
import { CopiedField } from './copied-field.tsx';

export function LinkPane({ audio }: { audio: Playable }) {
  const address = sharedAddress(shareAddress(audio.slug, 0, window.location.origin));
  return <CopiedField label={t`Link`} text={address} act={t`Copy link`} done={t`Link copied`} />;
}
