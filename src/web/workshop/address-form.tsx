import type { ComponentProps, SubmitEvent } from 'react';
import { useNavigate } from 'react-router';

type AddressFormProps = Omit<ComponentProps<'form'>, 'action' | 'method' | 'onSubmit'> & { action: string };

/** A form whose fields become the address's query, without empty ones. Works without script. */
export function AddressForm({ action, ...props }: AddressFormProps) {
  const navigate = useNavigate();

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    const search = new URLSearchParams();
    for (const [name, value] of new FormData(event.currentTarget))
      if (typeof value === 'string' && value.trim() !== '') search.append(name, value.trim());
    void navigate(search.size === 0 ? action : `${action}?${search}`);
  }

  return <form {...props} action={action} onSubmit={submit} />;
}
