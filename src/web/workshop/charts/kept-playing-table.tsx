import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { KeptPlaying } from '#domain/studio/figures/kept-playing.ts';
import { Table } from '../lists/table.tsx';
import { Pane } from '../pane.tsx';
import { countText, shareText, underTenListeners } from './figure-text.ts';

const names = (): Record<KeptPlaying[number]['reason'], string> => ({
  near: t`Heard by the same people`,
  tags: t`Tags of what was heard`,
  'little-heard': t`New or little heard`,
  site: t`The site’s own rule`,
  other: t`Others`,
});

/** How far audios are heard that playback goes on with by itself. */
export function KeptPlayingTable({ kept, className }: { kept: KeptPlaying; className?: string }) {
  const title = t`Keep playing`;
  return (
    <Pane title={title} className={className}>
      {kept.length === 0 ? (
        <p className="text-muted">{underTenListeners()}</p>
      ) : (
        <Table
          caption={title}
          look="data-table--compact"
          rows={kept}
          keyOf={({ reason }) => reason}
          columns={[
            { head: t`Chosen because`, cell: ({ reason }) => names()[reason] },
            { head: t`Plays`, kind: 'number', cell: ({ plays }) => countText(plays) },
            { head: t`Heard at least half`, kind: 'number', cell: ({ plays, halves }) => shareText(halves, plays) },
          ]}
        />
      )}
      <p className="text-muted text-13 mt-2">
        <Trans>
          Audios that start by themselves after the end of a list, played by listeners with an account. Reasons with
          fewer than 10 listeners are combined.
        </Trans>
      </p>
    </Pane>
  );
}
