import { zodResolver } from '@hookform/resolvers/zod';
import { type FormEvent, useState } from 'react';
import { type DefaultValues, type FieldValues, type Path, useForm } from 'react-hook-form';
import type { z } from 'zod';

/** A refusal, and its place: under its field, or above the form. */
export type FormMessage<Field extends string> = { field: Field | undefined; text: string };

type CheckedFormOptions<Values extends FieldValues> = {
  schema: z.ZodType<Values, Values>;
  defaultValues: DefaultValues<Values>;
  /** @returns the refusal, if there is one */
  send: (values: Values) => Promise<FormMessage<Path<Values>> | void>;
};

export type CheckedFormState = ReturnType<typeof useCheckedForm>['state'];

/** A form whose fields show their errors once they were left. A refusal stays until the next change. */
export function useCheckedForm<Values extends FieldValues>({
  schema,
  defaultValues,
  send,
}: CheckedFormOptions<Values>) {
  const [failure, setFailure] = useState<string>();
  const form = useForm({ resolver: zodResolver(schema), mode: 'onTouched', defaultValues });
  const { isValid, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async (values) => {
    setFailure(undefined);
    const refusal = await send(values);
    if (!refusal) return;
    if (refusal.field === undefined) setFailure(refusal.text);
    else form.setError(refusal.field, { message: refusal.text }, { shouldFocus: true });
  });

  return {
    control: form.control,
    /** Attributes of a field. */
    field: (name: Path<Values>) => ({
      error: form.getFieldState(name, form.formState).error?.message,
      ...form.register(name),
    }),
    /** For the form element and its button. */
    state: {
      failure,
      isReady: isValid,
      isBusy: isSubmitting,
      onSubmit: (event: FormEvent): void => void submit(event),
      onChange: () => setFailure(undefined),
    },
  };
}
