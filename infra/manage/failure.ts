/** What the program ends with. Scripts depend on it: a number keeps its meaning. */
export const exitCodes = {
  done: 0,
  /** What has no number of its own. */
  failed: 1,
  /** An unknown command or option, a missing argument, a value that is refused. */
  usage: 2,
  notFound: 3,
  /** A missing or invalid key or secret, or one that lacks the scope. */
  denied: 4,
  /** Somebody changed it meanwhile, or its state forbids the request. */
  conflict: 5,
  /** Nothing answers, or not now: the same command may succeed later. */
  unavailable: 6,
  /** What was asked about is not as it should be: `doctor`, `identity status`, refused rows of `suppressions import`. */
  needsAttention: 7,
  /** 128 and the number of the signal, as shells have it. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Why a command ends without success, in words for who typed it. */
export class Failure extends Error {
  readonly exitCode: ExitCode;
  /** Stable, for scripts. */
  readonly code: string;
  /** What to do about it. */
  readonly todo: string | undefined;

  constructor(exitCode: ExitCode, code: string, message: string, todo?: string) {
    super(message);
    this.exitCode = exitCode;
    this.code = code;
    this.todo = todo;
  }

  /** What a script reads of it. */
  toJson(): Readonly<Record<string, unknown>> {
    const { code, message: detail, todo, exitCode } = this;
    return { code, detail, ...(todo !== undefined && { todo }), exitCode };
  }

  /** What a person reads of it, line by line. */
  lines(): readonly string[] {
    return this.todo === undefined ? [this.message] : [this.message, `  → ${this.todo}`];
  }
}

export const usageFailure = (message: string): Failure =>
  new Failure(exitCodes.usage, 'usage', message);
