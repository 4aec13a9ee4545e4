import { plural, t } from '@lingui/core/macro';
import { useSyncExternalStore } from 'react';
import type { DownloadsSnapshot } from '#offline/downloads.ts';
import type { DownloadRecord } from '#offline/records.ts';
import { useSignInPrompt, useSubscribePrompt } from '#web/identity/prompts.tsx';
import { isEntitled } from '#domain/membership/rules.ts';
import { useListener } from '#web/listening/player-provider.tsx';
import { tabDownloads } from '#web/listening/tab-downloads.ts';
import { type Playable, trackOf } from '#web/listening/track-of.ts';
import { useToast } from '#web/ui/layers/toast.tsx';

/** Downloads on this device; re-renders with each stored part of a file. */
export function useDownloads(): DownloadsSnapshot {
  return useSyncExternalStore(tabDownloads.subscribe, tabDownloads.getSnapshot, tabDownloads.getSnapshot);
}

export function useDownload(audioId: string): DownloadRecord | undefined {
  return useDownloads().items.find(({ track }) => track.id === audioId);
}

/**
 * Downloads audios, after a prompt for listeners without access.
 * @returns the function; `name` is the list's or the audio's
 */
export function useAddDownloads(): (audios: readonly Playable[], name: string) => void {
  const viewer = useListener();
  const askToSignIn = useSignInPrompt();
  const askToSubscribe = useSubscribePrompt();
  const showToast = useToast();

  async function add(audios: readonly Playable[], name: string): Promise<void> {
    const tracks = audios.map((audio) => {
      const { source: _source, ...track } = trackOf(audio, 'favorites');
      return track;
    });
    const outcome = await tabDownloads.add(tracks);
    if (!outcome.ok) return showToast({ text: outcome.message });
    const { added } = outcome;
    if (added === 0) return showToast({ text: t`“${name}” is in your downloads` });
    showToast({
      text:
        audios.length === 1
          ? t`Downloading “${name}”`
          : plural(added, { one: 'Downloading # audio', other: 'Downloading # audios' }),
    });
  }

  return (audios, name) => {
    const act = () => void add(audios, name);
    if (viewer.kind === 'visitor') askToSignIn({ title: t`Sign in to download “${name}”`, act });
    else if (isEntitled(viewer)) act();
    else askToSubscribe({ name, act });
  };
}
