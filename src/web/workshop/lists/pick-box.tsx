import { useEffect, useRef } from 'react';

type PickBoxProps = {
  label: string;
  isPicked: boolean;
  /** Some of its rows are selected. */
  isMixed?: boolean;
  onChange: (isPicked: boolean) => void;
};

/** Selects a row, or all rows of a page. */
export function PickBox({ label, isPicked, isMixed = false, onChange }: PickBoxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = isMixed;
  }, [isMixed]);
  return (
    <label className="tick-area noscript:hidden">
      <span className="sr-only">{label}</span>
      <input
        ref={box}
        type="checkbox"
        className="tick-box"
        data-pick=""
        checked={isPicked}
        {...(isMixed && { 'data-mixed': '' })}
        onChange={({ target }) => onChange(target.checked)}
      />
    </label>
  );
}
