import { useEffect, useRef } from 'react';
import { saveFile } from '../../save-file.ts';
import { Button } from '../../ui/button.tsx';

/** Shown once. */
export function RecoveryCodes({ codes, onKept }: { codes: string[]; onKept: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <h1 ref={heading} tabIndex={-1} className="text-32">
        Recovery codes
      </h1>
      <p className="mt-2 mb-6 text-muted">
        Use them if you lose your second factor. Each works once. They are not shown again, so store them with your
        passwords.
      </p>
      <ul className="grid grid-cols-2 gap-x-6 gap-y-2 rounded-cover border border-line p-5 font-[family-name:ui-monospace,monospace] text-16 tabular-nums">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-6 flex flex-wrap gap-2">
        <Button variant="primary" onClick={onKept}>
          I have saved them
        </Button>
        <Button
          variant="outline"
          onClick={() => saveFile(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }), 'recovery-codes.txt')}
        >
          Save as a file
        </Button>
      </div>
    </>
  );
}
