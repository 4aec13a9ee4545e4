import { type ComponentProps, useRef } from 'react';
import { Button } from '../../ui/button.tsx';

type FileButtonProps = Omit<ComponentProps<typeof Button>, 'onClick'> & {
  /** Accessible name of the field of the browser's own. */
  fieldLabel?: string;
  /** Types and extensions, as in HTML. */
  accept: string;
  isMultiple?: boolean;
  onFiles(files: [File, ...File[]]): void;
};

/** Opens the browser's file dialog. */
export function FileButton({ fieldLabel, accept, isMultiple = false, onFiles, ...button }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button {...button} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        hidden
        aria-label={fieldLabel}
        multiple={isMultiple}
        accept={accept}
        onChange={({ currentTarget: field }) => {
          const [first, ...rest] = field.files ?? [];
          if (first !== undefined) onFiles([first, ...rest]);
          // Cleared, so that the same file can be chosen again.
          field.value = '';
        }}
      />
    </>
  );
}
