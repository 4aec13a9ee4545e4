import type { ComponentProps } from 'react';

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit: () => void };

/** A form of fields below each other that a script sends. */
export function Form({ onSubmit, ...form }: FormProps) {
  return (
    <form
      className="field-list"
      noValidate
      {...form}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    />
  );
}
