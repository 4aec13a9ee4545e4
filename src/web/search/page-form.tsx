import type { ComponentProps } from 'react';
import { useHref, useNavigate } from 'react-router';

type PageFormProps = ComponentProps<'form'> & { action: string };

/** Opens the page `action` with the fields as its query; `onSubmit` can prevent that. Also works without JavaScript. */
export function PageForm({ action, onSubmit, ...props }: PageFormProps) {
  const navigate = useNavigate();
  const address = useHref(action);
  return (
    <form
      {...props}
      action={address}
      method="get"
      onSubmit={(event) => {
        onSubmit?.(event);
        if (event.defaultPrevented) return;
        event.preventDefault();
        const query = new URLSearchParams();
        for (const [name, value] of new FormData(event.currentTarget)) query.append(name, String(value));
        void navigate({ pathname: action, search: `?${query}` });
      }}
    />
  );
}
