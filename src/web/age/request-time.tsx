import { t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { Button } from '../ui/button.tsx';

/** The time that a request has left, as `4:52`. */
export function Countdown({ seconds, onOver }: { seconds: number; onOver: () => void }) {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const end = performance.now() + seconds * 1000;
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((end - performance.now()) / 1000))), 1000);
    return () => clearInterval(timer);
  }, [seconds]);
  useEffect(() => {
    if (left === 0) onOver();
  }, [left, onOver]);
  const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  return <span className="tabular-nums">{t`Valid for ${time}.`}</span>;
}

type EndButtonProps = { to: string; label: string; variant?: 'primary' | 'outline'; answer?: 'no' };

/** Ends the request, and leads to a new one. */
export function EndButton({ to, label, variant, answer }: EndButtonProps) {
  return (
    <form method="post" action="/age/end">
      <input type="hidden" name="to" value={to} />
      {answer && <input type="hidden" name="answer" value={answer} />}
      {variant === undefined && answer === undefined ? (
        <button type="submit" className="ulink">
          {label}
        </button>
      ) : (
        <Button type="submit" variant={variant ?? 'ghost'}>
          {label}
        </Button>
      )}
    </form>
  );
}
