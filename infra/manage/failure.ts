/** Scripts depend on these, so a number never changes its meaning. */
export const exitCodes = {
  done: 0,
  failed: 1,
  /** An unknown command or option, a missing argument, a refused value. */
  usage: 2,
  notFound: 3,
  /** A missing or invalid key or secret, or one that lacks the scope. */
  denied: 4,
  /** Someone else changed it in between, or its state doesn't allow the request. */
  conflict: 5,
  /** No answer, or not right now: the same command may succeed later. */
  unavailable: 6,
  /**
   * The command worked, but reports something wrong: `doctor`, `identity status`, `domains verify`, `webhooks verify`,
   * `notices test`, refused rows of `suppressions import`, unfinished addresses of `contacts erase`.
   */
  needsAttention: 7,
  /** 128 plus the number of the signal, as in shells. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export class Failure extends Error {
  readonly exitCode: ExitCode;
  readonly code: string;
  readonly todo: string | undefined;

  constructor(exitCode: ExitCode, code: string, message: string, todo?: string) {
    super(message);
    this.exitCode = exitCode;
    this.code = code;
    this.todo = todo;
  }

  toJson(): Readonly<Record<string, unknown>> {
    const { code, message: detail, todo, exitCode } = this;
    return { code, detail, ...(todo !== undefined && { todo }), exitCode };
  }

  lines(): readonly string[] {
    return this.todo === undefined ? [this.message] : [this.message, `  → ${this.todo}`];
  }
}

/** A failure followed by advice on what to do about it. */
export class AdvisedFailure extends Failure {
  readonly #failure: Failure;
  readonly #advice: string;

  constructor(failure: Failure, advice: string) {
    super(failure.exitCode, failure.code, failure.message, advice);
    this.#failure = failure;
    this.#advice = advice;
  }

  override toJson(): Readonly<Record<string, unknown>> {
    return { ...this.#failure.toJson(), todo: this.#advice };
  }

  override lines(): readonly string[] {
    return [...this.#failure.lines(), `  → ${this.#advice}`];
  }
}

export const usageFailure = (message: string): Failure =>
  new Failure(exitCodes.usage, 'usage', message);
