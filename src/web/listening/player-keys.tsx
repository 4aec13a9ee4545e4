import { useEffect, useEffectEvent } from 'react';
import { flushSync } from 'react-dom';
import { keyCommand } from '#player/keyboard.ts';
import { useFavoritePress } from '#web/catalogue/favorite-button.tsx';
import { focusSearch } from '#web/shell/search-form.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { usePlayerCommands, usePlayerState } from './player-provider.tsx';
import { useQueueView } from './queue-view-state.tsx';
import { sourceOf } from './track-of.ts';
import { areKeysOn } from './use-keys-switch.ts';

const STEP_SECONDS = 15;

/** Single keys for the player, wherever the focus is, but in fields (product, "Playing"). Shows nothing. */
export function PlayerKeys() {
  const commands = usePlayerCommands();
  const current = usePlayerState((snapshot) => snapshot.current);
  const queue = useQueueView();
  const pressFavorite = useFavoritePress();
  const showToast = useToast();
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const command = keyCommand(event, areKeysOn());
    if (command === undefined) return;
    event.preventDefault();
    switch (command) {
      case 'toggle':
        return commands.toggle();
      case 'seek-back':
        return commands.seekBy(-STEP_SECONDS);
      case 'seek-forward':
        return commands.seekBy(STEP_SECONDS);
      case 'next':
        return commands.next();
      case 'previous':
        return commands.previous();
      case 'toggle-mute':
        return commands.toggleMute();
      case 'search':
        // The field is in the header that the queue has taken the place of.
        flushSync(queue.close);
        return focusSearch();
      case 'queue':
        return queue.isOpen ? queue.close() : queue.open();
      case 'favorite':
        if (current === null) return;
        return pressFavorite(
          {
            contentTypeId: 'audio',
            name: current.title,
            subjectId: current.id,
            source: sourceOf(current),
            imageUrl: current.imageUrl,
          },
          // The heart that shows it may be out of sight.
          (isFavorite) => showToast({ text: isFavorite ? 'Added to your Library' : 'Removed from your Library' }),
        );
    }
  });
  useEffect(() => {
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  return null;
}
