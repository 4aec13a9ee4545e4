import { type CardField, type FieldOptions, createCardField } from './card-field.ts';
import type { FieldType } from './card-formats.ts';

export type ElementGroup = {
  create(type: string, options?: FieldOptions): CardField;
  /** Finds a field by type, or by its component of react-stripe-js. */
  getElement(type: string | { __elementType?: string }): CardField | null;
  update(options: object): void;
  fetchUpdates(): Promise<{ error?: undefined }>;
  submit(): Promise<{ error?: undefined }>;
};

const types: readonly string[] = ['cardNumber', 'cardExpiry', 'cardCvc'] satisfies FieldType[];

/** The fields of each group: a payment combines number, expiry and code of one group. */
const groups = new WeakMap<CardField, Map<string, CardField>>();

export function createElements(): ElementGroup {
  const fields = new Map<string, CardField>();
  return {
    create(type, options = {}) {
      if (!types.includes(type))
        throw new Error(`The payment sandbox has the elements ${types.join(', ')}, and no ${type}.`);
      if (fields.has(type))
        throw new Error(`Can only create one Element of type ${type} through an instance of elements().`);
      const field = createCardField(type as FieldType, options, {
        brandOfNumber: () => fields.get('cardNumber')?.brand ?? 'unknown',
        onDestroy: () => fields.delete(type),
      });
      fields.set(type, field);
      groups.set(field, fields);
      return field;
    },
    getElement: (type) => fields.get(typeof type === 'string' ? type : (type.__elementType ?? '')) ?? null,
    update: () => undefined,
    fetchUpdates: async () => ({}),
    submit: async () => ({}),
  };
}

/** All fields in the same group as this one. */
export function groupOf(field: CardField): Map<string, CardField> | undefined {
  return groups.get(field);
}
