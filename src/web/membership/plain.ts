/** What a page was made with has dates; what the API answers has them as ISO 8601. Either will do. */
export type Plain<Value> = Value extends Date
  ? Date | string
  : Value extends object
    ? { [Key in keyof Value]: Plain<Value[Key]> }
    : Value;
