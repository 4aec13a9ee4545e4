import { t } from '@lingui/core/macro';
import type { Page } from '#domain/kernel/pages.ts';
import type { PlaylistItem, SeriesItem, VoiceItem } from '#web/list-items.ts';
import { TipLink } from './tip-link.tsx';
import { HideSwitch } from './hiding/hide-switch.tsx';
import { CardGrid } from './cards/card-grid.tsx';
import { PlaylistCard } from './cards/playlist-card.tsx';
import { Section } from './cards/section.tsx';
import { SeriesCard } from './cards/series-card.tsx';
import { VoiceCard } from './cards/voice-card.tsx';
import { PagedGrid } from './paged-grid.tsx';

/** Parts of a creator’s page whose code is not part of the first load. */

type CreatorActsProps = {
  voice: { id: string; slug: string; name: string; imageURL: string | null };
  isHidden: boolean;
  canTip: boolean;
};

export function CreatorActs({ voice: { id, slug, name, imageURL }, isHidden, canTip }: CreatorActsProps) {
  return (
    <>
      {canTip && !isHidden && <TipLink voice={{ slug, name }} />}
      <HideSwitch subject={{ kind: 'voice', id, name }} isHidden={isHidden} imageUrl={imageURL} />
    </>
  );
}

export function SeriesOf({ voiceId, page }: { voiceId: string; page: Page<SeriesItem> }) {
  return (
    <PagedGrid page={page} more={`/v1/api/series?voiceId=${voiceId}`} under="items" empty={t`No series yet`}>
      {(one) => <SeriesCard series={one} variant="grid" />}
    </PagedGrid>
  );
}

export function PlaylistsOf({ voiceId, page }: { voiceId: string; page: Page<PlaylistItem> }) {
  return (
    <PagedGrid page={page} more={`/v1/api/playlists?voiceId=${voiceId}`} under="items" empty={t`No playlists yet`}>
      {(playlist) => <PlaylistCard playlist={playlist} source="voice_profile" variant="grid" />}
    </PagedGrid>
  );
}

export function Recommended({ name, voices }: { name: string; voices: VoiceItem[] }) {
  return (
    <Section title={t`${name} recommends`} place="below">
      <CardGrid columns="5">
        {voices.map((voice) => (
          <VoiceCard key={voice.id} voice={voice} source="voice_profile" variant="grid" />
        ))}
      </CardGrid>
    </Section>
  );
}
