import { t } from '@lingui/core/macro';
import Search from 'lucide-react/icons/search';
import type { Answer } from '../../api.ts';
import { Cover } from '../../ui/images/cover.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { useCombobox } from '../use-combobox.ts';

/** Milliseconds without a key before a search begins. */
const pauseMs = 200;

type AudioFieldProps<Audio> = {
  label: string;
  placeholder: string;
  /** Offers audios before anything is typed. */
  opensEmpty?: boolean;
  search: (text: string, signal: AbortSignal) => Promise<Answer<{ items: Audio[] }>>;
  detailOf: (audio: Audio) => string;
  /** Why an audio cannot be added, such as `In this list`. */
  obstacleOf: (audio: Audio) => string | undefined;
  onAdd: (audio: Audio) => void;
};

/** Finds audios and adds them: a combobox for mouse and keyboard. */
export function AudioField<Audio extends { id: string; title: string; imageUrl: string | null }>(
  props: AudioFieldProps<Audio>,
) {
  const { label, placeholder, opensEmpty = false, search, detailOf, obstacleOf, onAdd } = props;
  const { id, field, list, option, options, active, shown } = useCombobox<Audio>({
    pauseMs,
    searchesEmpty: opensEmpty,
    search,
    canChoose: (audio) => obstacleOf(audio) === undefined,
    onChoose: onAdd,
  });
  const typed = shown?.text ?? '';
  return (
    <div className="field relative">
      <label htmlFor={id}>{label}</label>
      <div className="input">
        <Icon of={Search} size={18} />
        <input {...field} id={id} className="input__field" type="search" maxLength={200} placeholder={placeholder} />
      </div>
      {options.length > 0 && (
        // Over what is below: a press there closes the list, and must not meet something else.
        <ul {...list} className="choice-list absolute inset-x-0 z-10" aria-label={t`Audios to add`}>
          {options.map((audio, index) => (
            <li {...option(audio, index)} key={audio.id}>
              <Cover imageUrl={audio.imageUrl} size={40} />
              <span className="min-w-0">
                <b className="block truncate">{audio.title}</b>
                <small>{detailOf(audio)}</small>
              </span>
              <span className="text-13 text-muted">
                {obstacleOf(audio) ?? (index === active ? t({ message: 'Enter', context: 'key' }) : '')}
              </span>
            </li>
          ))}
        </ul>
      )}
      <output className="text-13 mt-2 block text-muted">
        {shown && 'failure' in shown && shown.failure}
        {shown &&
          'items' in shown &&
          shown.items.length === 0 &&
          (typed === '' ? t`No audios yet` : t`Nothing found for “${typed}”`)}
      </output>
    </div>
  );
}
