/** Dates become `Date | string`: page data has `Date`, API responses have ISO 8601. */
export type Plain<Value> = Value extends Date
  ? Date | string
  : Value extends object
    ? { [Key in keyof Value]: Plain<Value[Key]> }
    : Value;
