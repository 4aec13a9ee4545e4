import { t } from '@lingui/core/macro';
import Ban from 'lucide-react/icons/ban';
import Check from 'lucide-react/icons/check';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { useState } from 'react';
import { formatCount } from '#formats/numbers.ts';
import { Icon } from '#web/ui/images/icon.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { type Choice, hasChoice } from './filter-query.ts';
import { type Facet, capitalized } from './filter-words.ts';

/** Options of a facet that are shown at first. */
const shownAtFirst = 6;
/** Facets that are open at first. */
const openAtFirst = 2;

type FacetsProps = {
  facets: Facet[];
  /** Query of the list, after a navigation in progress. */
  search: string;
  /** Absent in a form that the browser sends. */
  onChoose?: (choice: Choice, isOn: boolean) => void;
};

type Option = Facet['options'][number];

const leftOut = ({ value }: Option): Choice => ({ name: 'not', value });

export function FilterFacets({ facets, search, onChoose }: FacetsProps) {
  const isOn = (option: Option) => hasChoice(search, option);
  const isLeftOut = (option: Option) => option.name === 'tag' && hasChoice(search, leftOut(option));
  const offers = facets.filter(({ options }) => options.some(({ audios }) => audios !== 0)).slice(0, openAtFirst);
  return facets.map((facet) => {
    const { key, options } = facet;
    return (
      <FacetPart
        key={key}
        facet={facet}
        isOpenAtFirst={offers.includes(facet) || options.some((one) => isOn(one) || isLeftOut(one))}
        isOn={isOn}
        isLeftOut={isLeftOut}
        onChoose={onChoose}
      />
    );
  });
}

type FacetPartProps = Pick<FacetsProps, 'onChoose'> & {
  facet: Facet;
  isOpenAtFirst: boolean;
  isOn: (option: Option) => boolean;
  isLeftOut: (option: Option) => boolean;
};

function FacetPart({ facet, isOpenAtFirst, isOn, isLeftOut, onChoose }: FacetPartProps) {
  const { label, explanation, hasWithout = false, options } = facet;
  const [isOpen] = useState(isOpenAtFirst);
  const [isWhole, setIsWhole] = useState(onChoose === undefined || options.length <= shownAtFirst);
  const shown = options.filter((one, index) => isWhole || index < shownAtFirst || isOn(one) || isLeftOut(one));
  const [chosen, without] = [options.filter(isOn).length, options.filter(isLeftOut).length];
  const count = formatCount(options.length);
  return (
    <details className="facet" open={isOpen}>
      <summary>
        {label}
        {chosen > 0 && <small>{formatCount(chosen)}</small>}
        {without > 0 && <small>{t`without ${without}`}</small>}
        <Icon of={ChevronDown} size={18} />
      </summary>
      {explanation && <p>{explanation}</p>}
      <ul>
        {shown.map((option) => (
          <OptionRow
            key={option.name + option.value}
            option={option}
            hasWithout={hasWithout}
            isOn={isOn(option)}
            isLeftOut={isLeftOut(option)}
            onChoose={onChoose}
          />
        ))}
      </ul>
      {shown.length < options.length && (
        <button type="button" className="link facet__more" onClick={() => setIsWhole(true)}>
          {t`Show all ${count}`}
        </button>
      )}
    </details>
  );
}

type OptionRowProps = Pick<FacetsProps, 'onChoose'> & {
  option: Option;
  hasWithout: boolean;
  isOn: boolean;
  isLeftOut: boolean;
};

function OptionRow({ option, hasWithout, isOn, isLeftOut, onChoose }: OptionRowProps) {
  const { name, value, label, audios } = option;
  const isNone = audios === 0 && !isOn && !isLeftOut;
  const box = { type: 'checkbox', value, className: 'sr-only' } as const;
  const withoutLabel = t`Without ${label}`;
  return (
    <li className="facet-option" data-left-out={isLeftOut || undefined} data-none={isNone || undefined}>
      <label className="check-box">
        {onChoose ? (
          <input
            {...box}
            checked={isOn}
            disabled={isNone}
            onChange={({ target }) => onChoose(option, target.checked)}
          />
        ) : (
          <input {...box} name={name} defaultChecked={isOn} disabled={isNone} />
        )}
        <i>
          <Icon of={Check} size={16} />
        </i>
        <span>{capitalized(label)}</span>
        <b>{isLeftOut ? t({ message: 'without', context: 'filter' }) : audios !== undefined && formatCount(audios)}</b>
      </label>
      {hasWithout &&
        (onChoose ? (
          <IconButton
            icon={Ban}
            label={withoutLabel}
            aria-pressed={isLeftOut}
            onClick={() => onChoose(leftOut(option), !isLeftOut)}
          />
        ) : (
          <label className="icon-button" title={withoutLabel}>
            <input {...box} name="not" defaultChecked={isLeftOut} aria-label={withoutLabel} />
            <Icon of={Ban} />
          </label>
        ))}
    </li>
  );
}
