import { t } from '@lingui/core/macro';
import { type KeyboardEvent, useId, useState } from 'react';
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
  const id = useId();
  const [chosen, setChosen] = useState(panes[1]?.name ?? 'link');
  const current = panes.find(({ name }) => name === chosen) ?? panes[0];

  /** https://www.w3.org/WAI/ARIA/apg/patterns/tabs/ */
  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const isMirrored = getComputedStyle(event.currentTarget).direction === 'rtl';
    const by = { ArrowRight: isMirrored ? -1 : 1, ArrowLeft: isMirrored ? 1 : -1 }[event.key];
    if (by === undefined) return;
    const at = panes.findIndex(({ name }) => name === chosen);
    const next = panes.at((at + by) % panes.length);
    if (next === undefined) return;
    setChosen(next.name);
    document.getElementById(`${id}-${next.name}`)?.focus();
  }

  return (
    <DialogWindow open onClose={onClose} title={t`Share`} description={audio.title}>
      <div className="tabs mt-4" role="tablist" aria-label={t`Share`} tabIndex={-1} onKeyDown={onKeyDown}>
        {panes.map(({ name, label }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === chosen}
            aria-controls={`${id}-pane`}
            tabIndex={name === chosen ? 0 : -1}
            className="share-tab"
            onClick={() => setChosen(name)}
          >
            {label}
          </button>
        ))}
      </div>
      {current && (
        <div key={current.name} className="form" role="tabpanel" id={`${id}-pane`} aria-labelledby={`${id}-${chosen}`}>
          <current.Pane audio={audio} />
        </div>
      )}
    </DialogWindow>
  );
}
