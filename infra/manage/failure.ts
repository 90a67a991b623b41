import { type ExitCode, exitCodes } from './exit-codes.ts';

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
