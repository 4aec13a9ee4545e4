import GripVertical from 'lucide-react/icons/grip-vertical';
import type { AudioRowItem } from '#domain/catalogue/audios.ts';
import { RowNumber } from '#web/catalogue/audio-row.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import type { RowList } from './row-list.ts';
import { RowBody } from './row-body.tsx';
import '#web/styles/queue.css';

type WholeRowProps = {
  audio: AudioRowItem;
  /** Only in lists without manual order. */
  number: number | undefined;
  list: RowList;
};

/** The parts of a row that is near the window. */
export function WholeRow({ audio, number, list }: WholeRowProps) {
  return (
    <>
      {list.onMove ? <Grip title={audio.title} /> : <RowNumber audio={audio} number={number} />}
      <RowBody audio={audio} list={list} />
    </>
  );
}

function Grip({ title }: { title: string }) {
  return (
    <button type="button" className="grip" data-grip aria-label={`Reorder ${title}`} aria-describedby={gripHintId}>
      <Icon of={GripVertical} />
    </button>
  );
}

/** Id of the hint on how to use a grip; rendered once in the page. */
export const gripHintId = 'grip-hint';
