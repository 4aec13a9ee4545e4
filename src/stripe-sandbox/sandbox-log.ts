/** What the sandbox says to the operator; ids and reasons, never what a card carries. */
export type SandboxLog = {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
};
