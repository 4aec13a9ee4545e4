import type { AudioRowItem } from '#domain/catalogue/audios.ts';
import { AudioRowParts } from '#web/catalogue/audio-row.tsx';
import { PlayButton } from '#web/listening/play-button.tsx';
import type { RowList } from './row-list.ts';

/**
 * A row without its first cell. A separate component, because the server caches its HTML, which does not depend on the
 * position.
 */
export function RowBody({ audio, list }: { audio: AudioRowItem; list: RowList }) {
  const { source, name, get, onMove, onRemove } = list;
  return (
    <AudioRowParts
      audio={audio}
      source={source}
      play={<PlayButton audios={[audio]} index={0} within={get} source={source} variant="pill" listName={name} />}
      onMove={onMove && ((by) => onMove(audio.id, by))}
      onRemove={onRemove && (() => onRemove(audio.id))}
    />
  );
}
