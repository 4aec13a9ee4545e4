import { useRef } from 'react';
import type { ReactNode } from 'react';
import { uploadExtensions } from '#domain/studio/rules.ts';
import { Button } from '../../ui/button.tsx';

type FileButtonProps = {
  /** Accessible name, when the text does not say which file. */
  label?: string;
  isPrimary?: boolean;
  isMultiple?: boolean;
  onFiles(files: File[]): void;
  children: ReactNode;
};

const accepted = ['audio/*', ...uploadExtensions.map((extension) => `.${extension}`)].join();

/** Opens the browser's file dialog. */
export function FileButton({ label, isPrimary = false, isMultiple = false, onFiles, children }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        variant={isPrimary ? 'primary' : 'secondary'}
        size={isPrimary ? 'md' : 'sm'}
        aria-label={label}
        onClick={() => input.current?.click()}
      >
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple={isMultiple}
        accept={accepted}
        onChange={({ currentTarget: field }) => {
          onFiles([...(field.files ?? [])]);
          // Cleared, so that the same file can be chosen again.
          field.value = '';
        }}
      />
    </>
  );
}
