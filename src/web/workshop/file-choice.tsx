import { useRef } from 'react';
import type { ComponentProps } from 'react';
import { Button } from '../ui/button.tsx';

type FileChoiceProps = Omit<ComponentProps<typeof Button>, 'onClick'> & {
  /** Accessible name of the field. */
  label: string;
  accept: string;
  onFile: (file: File) => void;
};

/** A button that asks for a file. */
export function FileChoice({ label, accept, onFile, ...button }: FileChoiceProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button size="sm" {...button} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={accept}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file !== undefined) onFile(file);
          // Cleared, so that the same file can be chosen again.
          currentTarget.value = '';
        }}
      />
    </>
  );
}
