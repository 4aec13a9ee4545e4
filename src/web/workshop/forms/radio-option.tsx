import type { ReactNode } from 'react';

type RadioOptionProps = { name: string; label: string; note?: ReactNode; checked: boolean; onChoose: () => void };

/** One of a few exclusive choices, with a note below its label. @param props.name of the group */
export function RadioOption({ name, label, note, checked, onChoose }: RadioOptionProps) {
  return (
    <label className="option">
      <input
        type="radio"
        className="forced-colors:border forced-colors:border-[ButtonBorder] forced-colors:checked:border-6 forced-colors:checked:border-[Highlight] appearance-none size-5 m-0 flex-none bg-bg [box-shadow:inset_0_0_0_1.5px_var(--control-line)] inline-grid place-items-center cursor-pointer rounded-full checked:[box-shadow:inset_0_0_0_6px_var(--accent)]"
        name={name}
        checked={checked}
        onChange={onChoose}
      />
      <b>{label}</b>
      {note !== undefined && <small>{note}</small>}
    </label>
  );
}
