/** Messages of the sandbox to the operator: ids and reasons, never card data. */
export type SandboxLog = {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
};
