import type { FormEvent, ReactNode } from 'react';
import { useNavigate } from 'react-router';

type QueryFormProps = { className?: string; label?: string; children: ReactNode };

/** A form whose fields become the query of this page's address; works without script. */
export function QueryForm({ className, label, children }: QueryFormProps) {
  const navigate = useNavigate();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new URLSearchParams();
    for (const [name, value] of new FormData(event.currentTarget))
      if (typeof value === 'string') fields.set(name, value);
    void navigate(`?${fields}`, { preventScrollReset: true });
  }

  return (
    <form className={className} aria-label={label} onSubmit={submit}>
      {children}
    </form>
  );
}
