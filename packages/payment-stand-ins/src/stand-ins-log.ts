/** Messages of the stand-ins to the operator: ids and reasons. */
export type StandInsLog = {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
};
