import { useId } from 'react';

type ChoiceFieldProps = {
  label: string;
  /** '' until something is chosen. */
  value: string;
  options: { value: string; label: string }[];
  onChoose: (value: string) => void;
};

/** One of few, such as the creator of new recordings; nothing is chosen at first. */
export function ChoiceField({ label, value, options, onChoose }: ChoiceFieldProps) {
  const id = useId();
  return (
    <div className="fld">
      <label htmlFor={id}>{label}</label>
      <select id={id} className="in" value={value} onChange={({ target }) => onChoose(target.value)}>
        <option value="">Choose a {label.toLowerCase()}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}
