import { t } from '@lingui/core/macro';
import { Tabs } from '@base-ui/react/tabs';
import type { Playable } from '#web/listening/track-of.ts';
import { useIsOn } from '#web/root-data.ts';
import { DialogWindow } from '#web/ui/layers/dialog-window.tsx';
import { ClipPane } from './clip-pane.tsx';
import { EmbedPane } from './embed-pane.tsx';
import { LinkPane } from './link-pane.tsx';
import './share.css';

type ShareDialogProps = { audio: Playable; onClose: () => void };

/** Link, clip and frame of an audio that everyone may hear. */
export function ShareDialog({ audio, onClose }: ShareDialogProps) {
  const [hasClips, hasFrames] = [useIsOn('clips'), useIsOn('embeds')];
  const panes = [
    { name: 'link', label: t`Link`, Pane: LinkPane },
    ...(hasClips ? [{ name: 'clip', label: t`Clip`, Pane: ClipPane }] : []),
    ...(hasFrames ? [{ name: 'embed', label: t`Embed`, Pane: EmbedPane }] : []),
  ];
  return (
    <DialogWindow open onClose={onClose} title={t`Share`} description={audio.title}>
      <Tabs.Root defaultValue={panes[1]?.name ?? 'link'} className="mt-4">
        <Tabs.List className="tabs">
          {panes.map(({ name, label }) => (
            <Tabs.Tab key={name} value={name} className="share-tab">
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {panes.map(({ name, Pane }) => (
          <Tabs.Panel key={name} value={name} className="form">
            <Pane audio={audio} />
          </Tabs.Panel>
        ))}
      </Tabs.Root>
    </DialogWindow>
  );
}
